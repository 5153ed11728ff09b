package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.divergence.wire.mysql.result.Err;

/**
 * The errors of our own. Their SQLSTATEs are of the class {@code UD}, which the standard leaves to implementations, and
 * their numbers are far above the servers': no driver or pool takes them for a broken connection, and none retries
 * them.
 */
final class MySqlMismatchErrors {
    /** Nothing recorded fits. */
    private static final int NOT_RECORDED = 50_001;

    /** A reply was recorded that can't be given in the way it is asked for, or not as a whole. */
    private static final int NOT_PRESENTABLE = 50_002;

    private static final int ON_PURPOSE = 50_003;

    private MySqlMismatchErrors() {}

    static Err miss(Match.Miss<?> miss) {
        String nearest = miss.nearest().isEmpty() ? "" : "; nearest recorded: " + String.join(" | ", miss.nearest());
        return new Err(
                NOT_RECORDED,
                "UD001",
                "understudy has no recorded reply for: " + miss.form().text() + " (" + miss.why() + ")" + nearest);
    }

    static Err notPresentable(String why) {
        return new Err(NOT_PRESENTABLE, "UD002", "understudy can't give the recorded reply: " + why);
    }

    /** As the servers say it; drivers take neither its number nor its SQLSTATE for a broken connection. */
    static Err outOfMemory() {
        return new Err(1041, "HY000", "Out of memory; debug connections hold as much as they may");
    }

    /** An error on purpose: its SQLSTATE as configured, and the number that servers give with it where there is one. */
    static Err injected(Fault.ErrorReply error, Injection injection) {
        int code = switch (error.code()) {
            case "40001" -> 1213;
            case "23000" -> 1062;
            case "42S02" -> 1146;
            case "08004" -> 1040;
            case "08S01" -> 1053;
            case "70100" -> 1317;
            default -> ON_PURPOSE;
        };
        return new Err(code, error.code(), injection.says(error));
    }

    static Err unknownStatement(int number) {
        return new Err(1243, "HY000", "Unknown prepared statement handler (" + number + ") given to EXECUTE");
    }

    static Err tooManyStatements(int most) {
        return new Err(
                1461,
                "42000",
                "Can't create more than max_prepared_stmt_count statements (current value: " + most + ")");
    }

    static Err noCursor() {
        return new Err(1421, "HY000", "The statement has no open cursor.");
    }

    static Err noSavepoint(String name) {
        return new Err(1305, "42000", "SAVEPOINT " + name + " does not exist");
    }

    static Err malformed(String why) {
        return new Err(1835, "HY000", "Malformed communication packet: " + why);
    }
}
