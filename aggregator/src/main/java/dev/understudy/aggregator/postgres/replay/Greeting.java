package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.sql.ServerWords;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a session hears when it begins: it is let in whoever it is, and told the parameters that production's server
 * announced, with those that the client itself has chosen.
 */
final class Greeting {
    private static final int PROTOCOL_3_2 = 3 << 16 | 2;
    private static final PgMessage AUTHENTICATION_OK = new PgWriter().int32(0).toMessage('R');

    /** What is announced if production's server isn't known yet; the names are the server's. */
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("DateStyle", "ISO, MDY"),
            Map.entry("IntervalStyle", "postgres"),
            Map.entry("TimeZone", "UTC"),
            Map.entry("application_name", ""),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("default_transaction_read_only", "off"),
            Map.entry("in_hot_standby", "off"),
            Map.entry("integer_datetimes", "on"),
            Map.entry("is_superuser", "off"),
            Map.entry("server_encoding", "UTF8"),
            Map.entry("server_version", "15.0"),
            Map.entry("session_authorization", ""),
            Map.entry("standard_conforming_strings", "on"));

    private Greeting() {}

    /** The parameters of a new session. */
    static Map<String, String> parameters(@Nullable ServerParameters server, StartupPacket client) {
        Map<String, String> parameters = new TreeMap<>(DEFAULTS);
        if (server != null) {
            parameters.putAll(server.values());
        }
        parameters.put("application_name", "");
        client.parameters().forEach((name, value) -> {
            String known = reported(name);
            if (known != null) {
                String words = ServerWords.of(known.toLowerCase(Locale.ROOT), value, parameters.get(known));
                parameters.put(known, words == null ? value : words);
            }
        });
        String user = client.parameters().get("user");
        parameters.put("session_authorization", user == null ? "" : user);
        return parameters;
    }

    static List<PgMessage> messages(Map<String, String> parameters, StartupPacket client, int processId, int secret) {
        List<PgMessage> messages = new ArrayList<>();
        List<String> unknown = client.parameters().keySet().stream()
                .filter(name -> name.startsWith("_pq_."))
                .toList();
        if (client.protocol() > PROTOCOL_3_2 || !unknown.isEmpty()) {
            PgWriter writer = new PgWriter()
                    .int32(Math.min(client.protocol(), PROTOCOL_3_2))
                    .int32(unknown.size());
            unknown.forEach(writer::string);
            messages.add(writer.toMessage('v'));
        }
        messages.add(AUTHENTICATION_OK);
        parameters.forEach((name, value) -> messages.add(status(name, value)));
        messages.add(new PgWriter().int32(processId).int32(secret).toMessage('K'));
        return messages;
    }

    /** The name under which the server reports changes of a setting; null if it doesn't. */
    static @Nullable String reported(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "application_name" -> "application_name";
            case "client_encoding" -> "client_encoding";
            case "datestyle" -> "DateStyle";
            case "default_transaction_read_only" -> "default_transaction_read_only";
            case "intervalstyle" -> "IntervalStyle";
            case "timezone" -> "TimeZone";
            case "standard_conforming_strings" -> "standard_conforming_strings";
            default -> null;
        };
    }

    static PgMessage status(String name, String value) {
        return new PgWriter().string(name).string(value).toMessage('S');
    }
}
