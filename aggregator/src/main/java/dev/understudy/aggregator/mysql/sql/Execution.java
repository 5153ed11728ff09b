package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.command.Execute;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement as it is to be run, whichever side asks.
 *
 * @param cursor whether the rows are to be fetched
 * @param types of the parameters, for the next time when the client leaves them out
 * @param values of the parameters, in a form of which no two different ones are alike
 */
public record Execution(boolean cursor, int @Nullable [] types, List<BoundValue> values) {

    /**
     * Reads a COM_STMT_EXECUTE or COM_STMT_BULK_EXECUTE.
     *
     * @param rest null if the payload is all of the command
     * @param parameters how many the statement has
     * @param known their types the last time; null if there was none
     * @param sent what came of them ahead, which is taken
     */
    public static Execution read(
            byte[] payload,
            @Nullable LongRest rest,
            Capabilities agreed,
            int parameters,
            int @Nullable [] known,
            LongData sent) {
        Map<Integer, byte[]> ahead = sent.values();
        Execute execute;
        if (rest != null) {
            execute = Execute.readBeginning(payload, agreed, parameters, known);
        } else if ((payload[0] & 0xff) == CommandCode.STMT_BULK_EXECUTE) {
            execute = Execute.readBulk(payload, parameters, known);
        } else {
            execute = Execute.read(payload, agreed, parameters, known, ahead);
        }
        return new Execution(execute.cursor(), execute.types(), sent.take(execute, ahead, rest));
    }
}
