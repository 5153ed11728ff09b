package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;

/**
 * Answers commands of the protocol that concern their session only: as production's server did where it was asked the
 * same and refused it, or said something.
 */
final class SessionCommands {
    private final UpstreamReplay<MySqlReply> replay;
    private final MySqlSession session;
    private final PastAnswers past;
    private final MySqlOutlet outlet;
    private final MySqlDelivery delivery;
    private final Runnable forget;

    /** @param forget is run when the session is begun anew */
    SessionCommands(
            UpstreamReplay<MySqlReply> replay,
            MySqlSession session,
            PastAnswers past,
            MySqlOutlet outlet,
            MySqlDelivery delivery,
            Runnable forget) {
        this.replay = replay;
        this.session = session;
        this.past = past;
        this.outlet = outlet;
        this.delivery = delivery;
        this.forget = forget;
    }

    /** Answers one that isn't a statement, nor begins a login. */
    void answer(byte[] payload) {
        int code = payload[0] & 0xff;
        byte[] argument = new MySqlReader(payload).skip(1).rest();
        Form form = MySqlForms.command(code, argument);
        switch (code) {
            case CommandCode.PING, CommandCode.INIT_DB, CommandCode.RESET_CONNECTION, CommandCode.SET_OPTION -> {
                if (!refused(form)) {
                    replay.local();
                    accept(code, argument);
                }
            }
            case CommandCode.STATISTICS, CommandCode.DEBUG -> {
                byte[] known = past.ofCommand(form);
                if (known == null) {
                    missed(form, "production has not sent this command lately");
                } else {
                    replay.local();
                    outlet.write(known);
                }
            }
            default -> missed(form, "such commands are not recorded");
        }
    }

    /** Refuses a login or a change of user whose database production's server refused at that time. */
    boolean refusedDatabase(int code, String database) {
        return refused(MySqlForms.database(code, database));
    }

    private boolean refused(Form form) {
        byte[] known = past.ofCommand(form);
        if (known == null || known.length == 0) {
            return false;
        }
        replay.local();
        outlet.write(Err.read(known));
        return true;
    }

    private void accept(int code, byte[] argument) {
        switch (code) {
            case CommandCode.INIT_DB -> {
                session.use(MySqlForms.name(argument));
                ok(Ok.of(session.status()).withTrack(Track.database(session.database())));
            }
            case CommandCode.RESET_CONNECTION -> {
                session.reset();
                forget.run();
                ok(Ok.of(session.status()));
            }
            case CommandCode.SET_OPTION -> {
                session.multiStatements(new MySqlReader(argument).int16() == 0);
                delivery.writer().end(Ok.of(session.status()), 0);
            }
            default -> ok(Ok.of(session.status()));
        }
    }

    private void ok(Ok ok) {
        outlet.write(ok.encode(0, session.agreed()));
    }

    private void missed(Form form, String why) {
        outlet.write(MySqlMismatchErrors.miss(replay.notLearned(form, why, 0)));
    }
}
