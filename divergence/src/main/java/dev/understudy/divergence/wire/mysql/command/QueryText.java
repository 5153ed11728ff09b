package dev.understudy.divergence.wire.mysql.command;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import java.util.List;

/**
 * What COM_QUERY carries.
 *
 * @param sql in the client's character set
 * @param attributes that the client sends beside it; usually none
 */
public record QueryText(byte[] sql, List<BoundValue> attributes) {

    /** Reads the payload of a COM_QUERY. */
    public static QueryText read(byte[] payload, Capabilities agreed) {
        MySqlReader in = new MySqlReader(payload).skip(1);
        if (!agreed.has(Capabilities.QUERY_ATTRIBUTES)) {
            return new QueryText(in.rest(), List.of());
        }
        int count = Bindings.count(in);
        in.number();
        List<BoundValue> attributes =
                count == 0 ? List.of() : Bindings.read(in, count, true).values();
        return new QueryText(in.rest(), attributes);
    }
}
