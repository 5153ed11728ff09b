package dev.understudy.sidecar.console;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that the console is made of, and what browsers may do with them: run scripts and styles of this port, ask
 * this port, and nothing else.
 *
 * <p>A file is a resource beside this class, whose name has letters, digits and hyphens and one of three endings: no
 * other resource can be named. Read once. Confined to the control thread.
 */
final class ConsoleFiles {
    private static final String PREACT = "/META-INF/resources/webjars/preact/10.26.4/dist/preact.module.js";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}\\.(js|css|svg)");
    private static final Map<String, String> HEADERS = Map.of(
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "referrer-policy",
            "no-referrer",
            "cross-origin-opener-policy",
            "same-origin",
            "cross-origin-resource-policy",
            "same-origin",
            "x-frame-options",
            "DENY");

    private final Map<String, Reply> replies = new HashMap<>();

    /** The page itself. */
    Reply page(Call call) {
        return file("index.html", "index.html");
    }

    /** One of its modules, styles or pictures. */
    Reply file(Call call) {
        String name = call.captured("file");
        if (!NAME.matcher(name).matches()) {
            return unknown();
        }
        return file(name, name.equals("preact.js") ? PREACT : name);
    }

    private Reply file(String name, String resource) {
        Reply known = replies.get(name);
        if (known != null) {
            return known;
        }
        byte[] bytes = read(resource);
        if (bytes == null) {
            return unknown();
        }
        Reply reply = new Reply(200, type(name), bytes, HEADERS);
        replies.put(name, reply);
        return reply;
    }

    private static Reply unknown() {
        return Reply.problem(404, "Not found", "the console has no such file");
    }

    private static byte @Nullable [] read(String resource) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "text/html; charset=utf-8";
        };
    }
}
