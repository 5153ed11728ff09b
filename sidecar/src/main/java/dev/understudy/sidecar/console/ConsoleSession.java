package dev.understudy.sidecar.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Caller;
import dev.understudy.relay.control.access.SignIn;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who uses the console: signing in and out, and links that sign in. Confined to the control thread. */
final class ConsoleSession {
    private static final String COOKIE = "set-cookie";

    private final SignIn signIn;

    ConsoleSession(SignIn signIn) {
        this.signIn = signIn;
    }

    /** Exchanges {@code {"token": …}} or {@code {"code": …}} for a cookie. */
    Reply begin(Call call) {
        JsonNode sent = JsonBody.object(call.body());
        AccessToken token = sent.path("code").isTextual()
                ? signIn.redeem(sent.path("code").asText())
                : signIn.token(sent.path("token").asText());
        if (token == null) {
            return Reply.problem(
                    401,
                    "Unauthorized",
                    sent.has("code")
                            ? "this link was used already, or is older than a minute; understudy console prints another"
                            : "this is no token of this port");
        }
        if (!Access.READ.permits(token.role())) {
            return Reply.problem(
                    403,
                    "Forbidden",
                    "the console needs the role " + Access.READ.expected() + "; this one is an agent's");
        }
        return spell(new Caller(token.name(), token.role())).with(Map.of(COOKIE, signIn.cookie(token, call.host())));
    }

    /** Takes the cookie back. */
    Reply end(Call call) {
        return Reply.json(Map.of("signedOut", true)).with(Map.of(COOKIE, signIn.noCookie(call.host())));
    }

    /** Who is signed in. */
    Reply read(Call call) {
        return spell(call.caller());
    }

    /** The path of a link that signs its first user in; one without a code if callers need no token. */
    Reply link(Call call) {
        Caller caller = call.caller();
        String code = caller == null ? null : signIn.issue(caller);
        return Reply.json(Map.of("path", code == null ? "/" : "/#code=" + code));
    }

    private static Reply spell(@Nullable Caller caller) {
        return Reply.json(
                caller == null
                        ? Map.of("name", "", "role", "")
                        : Map.of("name", caller.name(), "role", caller.role().word()));
    }
}
