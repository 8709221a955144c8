package wire

import (
	"github.com/parley-im/parley"
	pb "github.com/parley-im/parley/messages"
)

func command(c parley.Command) *pb.Command {
	return &pb.Command{Id: commandID(c.ID), Body: digest(c.Body), First: micros(c.First)}
}

func (r *reader) keyed(c *pb.Command) parley.Command {
	if c == nil {
		return parley.Command{}
	}
	return parley.Command{ID: r.commandID(c.Id), Body: r.digest(c.Body), First: moment(c.First)}
}

func author(a parley.Author) *pb.Author {
	return &pb.Author{Account: string(a.Account), Part: string(a.Part), Name: a.Name, Address: a.Address}
}

func unauthor(a *pb.Author) parley.Author {
	return parley.Author{
		Account: parley.AccountID(a.GetAccount()), Part: parley.PartID(a.GetPart()), Name: a.GetName(), Address: a.GetAddress(),
	}
}

func participant(p parley.Participant) *pb.Participant {
	return &pb.Participant{
		Id: string(p.ID), Account: string(p.Account), Address: p.Address, Name: p.Name,
		Channel: string(p.Channel), Role: string(p.Role), State: string(p.State),
	}
}

func unparticipant(p *pb.Participant) parley.Participant {
	return parley.Participant{
		ID: parley.PartID(p.GetId()), Account: parley.AccountID(p.GetAccount()), Address: p.GetAddress(), Name: p.GetName(),
		Channel: parley.Channel(p.GetChannel()), Role: parley.Role(p.GetRole()), State: parley.PartState(p.GetState()),
	}
}

func address(a parley.Address) *pb.Address { return &pb.Address{Name: a.Name, Addr: a.Addr} }

func unaddress(a *pb.Address) parley.Address {
	return parley.Address{Name: a.GetName(), Addr: a.GetAddr()}
}

func attachment(a parley.Attachment) *pb.Attachment {
	return &pb.Attachment{
		Blob: string(a.Blob), Name: a.Name, Type: a.Type, Size: a.Size, Inline: a.Inline, Cid: a.CID,
	}
}

func unattachment(a *pb.Attachment) parley.Attachment {
	return parley.Attachment{
		Blob: parley.BlobID(a.GetBlob()), Name: a.GetName(), Type: a.GetType(), Size: a.GetSize(),
		Inline: a.GetInline(), CID: a.GetCid(),
	}
}

func arrival(a parley.Arrival) *pb.Arrival {
	return &pb.Arrival{At: micros(a.At), Channel: string(a.Channel), From: a.From, To: a.To}
}

func unarrival(a *pb.Arrival) parley.Arrival {
	if a == nil {
		return parley.Arrival{}
	}
	return parley.Arrival{At: moment(a.At), Channel: parley.Channel(a.Channel), From: a.From, To: a.To}
}

func page(p parley.Page) *pb.Page {
	return &pb.Page{After: p.After, Before: p.Before, End: p.End, Limit: int64(p.Limit), Notices: p.Notices, Number: int64(p.Number)}
}

func unpage(p *pb.Page) parley.Page {
	return parley.Page{After: p.GetAfter(), Before: p.GetBefore(), End: p.GetEnd(), Limit: int(p.GetLimit()), Notices: p.GetNotices(), Number: int(p.GetNumber())}
}
