package dev.understudy.divergence.wire.postgres;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client may say before the first typed message: the real start, a request for encryption, or a cancel request.
 *
 * @param kind what it is
 * @param protocol major version × 65536 + minor version, of a {@link Kind#STARTUP}; else 0
 * @param parameters user, database and run-time parameters, in the client's order; empty unless {@link Kind#STARTUP}
 * @param processId the backend to cancel; 0 unless {@link Kind#CANCEL}
 * @param secret what its client was told with it, or the first four bytes of that; 0 unless {@link Kind#CANCEL}
 */
public record StartupPacket(Kind kind, int protocol, Map<String, String> parameters, int processId, int secret) {
    /** Request codes of the protocol manual, "Message Formats". */
    static final int CANCEL_CODE = 80877102;

    static final int SSL_CODE = 80877103;
    static final int GSSENC_CODE = 80877104;

    /** The kinds of packet that a connection may begin with. */
    public enum Kind {
        STARTUP,
        CANCEL,
        SSL_REQUEST,
        GSSENC_REQUEST
    }

    public StartupPacket {
        parameters = Map.copyOf(parameters);
    }

    /** Decodes a packet without its length field, or null if it is none. */
    static @Nullable StartupPacket decode(byte[] packet) {
        try {
            PgReader reader = new PgReader(packet);
            int code = reader.int32();
            return switch (code) {
                case CANCEL_CODE -> new StartupPacket(Kind.CANCEL, 0, Map.of(), reader.int32(), reader.int32());
                case SSL_CODE -> new StartupPacket(Kind.SSL_REQUEST, 0, Map.of(), 0, 0);
                case GSSENC_CODE -> new StartupPacket(Kind.GSSENC_REQUEST, 0, Map.of(), 0, 0);
                default ->
                    code >>> 16 == 3 ? new StartupPacket(Kind.STARTUP, code, decodeParameters(reader), 0, 0) : null;
            };
        } catch (MalformedMessageException malformed) {
            return null;
        }
    }

    private static Map<String, String> decodeParameters(PgReader reader) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name = reader.string(); !name.isEmpty(); name = reader.string()) {
            parameters.put(name, reader.string());
        }
        return parameters;
    }
}
