package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.fact.AnswerTimeline;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.PreparedShape;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What MySQL's server answered to requests that use up nothing, by time. */
public final class MySqlTimelines {
    /** Errors of one moment, or of a number of connections: the same request is asked under other circumstances. */
    private static final Set<Integer> OF_THE_MOMENT = Set.of(
            1040, // too many connections
            1053, // the server is being shut down
            1105, // whatever it is
            1129, // the host is blocked
            1203, // the user has too many connections
            1205, // a lock wasn't granted in time
            1213, // a deadlock
            1226, // the user's limit per hour
            1317, // interrupted
            1461, // too many prepared statements
            1927, // the connection was killed
            3024, // it took too long
            3169, // the session was killed
            4031); // the client was idle

    /** Has the SQLSTATE of a broken connection, and is none. */
    private static final int UNKNOWN_COMMAND = 1047;

    /** The database is unknown, or not for this user. */
    private static final Set<Integer> DATABASE = Set.of(1044, 1049);

    private MySqlTimelines() {}

    /** Whether an error is the answer to its request, rather than to the moment it was asked in. */
    public static boolean answers(@Nullable Err error) {
        return error == null
                || error.code() == UNKNOWN_COMMAND
                || !(OF_THE_MOMENT.contains(error.code())
                        || error.state().startsWith("08")
                        || error.state().startsWith("70"));
    }

    /** Whether an answer to a login refuses the database that it names; who it is doesn't count here. */
    public static boolean refusesDatabase(byte[] packet) {
        return packet.length > 2
                && (packet[0] & 0xff) == 0xff
                && DATABASE.contains(Err.read(packet).code());
    }

    private abstract static class OfReplies extends AnswerTimeline<MySqlReply> {
        OfReplies() {
            super(MySqlReply::bytes);
        }

        @Override
        protected final boolean equal(MySqlReply one, MySqlReply other) {
            return one.answer() == other.answer()
                    && one.whole() == other.whole()
                    && Arrays.deepEquals(columns(one), columns(other));
        }

        private static Object[] columns(MySqlReply reply) {
            return reply.results().stream().map(OfReplies::columns).toArray();
        }

        private static Object columns(Result result) {
            return result instanceof Rows rows ? rows.columns().toArray() : new Object[0];
        }
    }

    /** Results that every session in the same state may be given. */
    public static final class OfCatalogue extends OfReplies {}

    /** What became of statements that concern their session only. */
    public static final class OfSession extends OfReplies {}

    /** Whether statements could be prepared. */
    public static final class OfPreparation extends AnswerTimeline<Preparation> {
        /** None yet. */
        public OfPreparation() {
            super(Preparation::bytes);
        }

        @Override
        protected boolean equal(Preparation one, Preparation other) {
            return Objects.equals(one.error(), other.error()) && equal(one.shape(), other.shape());
        }

        private static boolean equal(@Nullable PreparedShape one, @Nullable PreparedShape other) {
            if (one == null || other == null) {
                return one == null && other == null;
            }
            return equal(one.columns(), other.columns()) && equal(one.parameters(), other.parameters());
        }

        private static boolean equal(List<byte[]> one, List<byte[]> other) {
            return Arrays.deepEquals(one.toArray(), other.toArray());
        }
    }

    /** Answers to commands of the protocol, as packets; an OK that says nothing else is empty. */
    public static final class OfCommand extends AnswerTimeline<byte[]> {
        /** None yet. */
        public OfCommand() {
            super(packet -> packet.length);
        }

        @Override
        protected boolean equal(byte[] one, byte[] other) {
            return Arrays.equals(one, other);
        }
    }
}
