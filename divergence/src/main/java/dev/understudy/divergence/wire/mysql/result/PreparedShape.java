package dev.understudy.divergence.wire.mysql.result;

import java.util.List;

/**
 * What the server says of a statement that it has prepared.
 *
 * @param parameters payloads of their definitions
 * @param columns payloads of their definitions
 */
public record PreparedShape(List<byte[]> parameters, List<byte[]> columns, int warnings) {
    public PreparedShape {
        parameters = List.copyOf(parameters);
        columns = List.copyOf(columns);
    }

    public long bytes() {
        return 64 + Result.bytes(parameters) + Result.bytes(columns);
    }
}
