package dev.understudy.it.login;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole session with a service that is guarded by Spring Security: the debug JVM takes part in it as production does.
 */
@Tag("any-jdk")
final class LoginIT {
    @TempDir
    Path folder;

    @Test
    void session_withTokensOfEachJvmsOwn_goesTheSameWayInDebug() throws Exception {
        try (NotesJvm production = NotesJvm.start(folder.resolve("production.log"));
                NotesJvm debug = NotesJvm.start(folder.resolve("debug.log"));
                TeeStage stage = TeeStage.open(folder, "http", production.port(), debug.port())) {
            Browser ann = new Browser(stage.port());
            use(ann);
            stage.awaitExchanges(ann.sent());

            JsonNode verdicts = stage.listener().get("verdicts");
            String all = stage.read("/v1/verdicts").toPrettyString();
            assertThat(verdicts.path("DIFFERENT").asInt()).as(all).isZero();
            assertThat(verdicts.path("NOT_COMPARED").asInt()).as(all).isZero();
            assertThat(debug.figures()).isEqualTo(production.figures());
            assertThat(production.figures().path("changes").asInt()).isEqualTo(7);
        }
    }

    private static void use(Browser ann) throws IOException, InterruptedException {
        assertThat(ann.get("/").statusCode()).as("sent to the login").isEqualTo(302);
        assertThat(ann.get("/login").body()).contains("_csrf");
        assertThat(ann.post("/login", "username=ann&password=rose").headers().firstValue("Location"))
                .hasValueSatisfying(place -> assertThat(place).endsWith("/login?error"));
        ann.get("/login?error");
        assertThat(ann.post("/login", "username=ann&password=tulip").statusCode())
                .isEqualTo(302);
        assertThat(ann.get("/").body()).as("the page, with another token").contains("<textarea");

        String first = ann.post("/notes", "text=water%20the+tulips%21")
                .headers()
                .firstValue("Location")
                .orElseThrow();
        String id = first.substring(first.lastIndexOf('/') + 1);
        HttpResponse<String> note = ann.get("/notes/" + id);
        String etag = note.headers().firstValue("ETag").orElseThrow();
        assertThat(note.body()).contains("water the tulips!");
        assertThat(ann.post("/notes", "text=twice&about=" + id).statusCode()).isEqualTo(303);
        assertThat(ann.upload("/notes", "a bill", id).statusCode()).isEqualTo(201);

        String token = new ObjectMapper()
                .readTree(ann.get("/csrf").body())
                .at("/token")
                .asText();
        String about = "\",\"about\":\"" + id + "\"}";
        assertThat(ann.json("POST", "/notes", token, "{\"text\":\"in JSON" + about)
                        .statusCode())
                .isEqualTo(201);
        assertThat(ann.chunked("POST", "/notes", token, "{\"text\":\"in pieces" + about)
                        .statusCode())
                .isEqualTo(201);
        assertThat(ann.get("/notes?about=" + id).body()).contains("twice", "a bill", "in JSON", "in pieces");

        assertThat(ann.get("/notes/" + id, "If-None-Match", etag).statusCode()).isEqualTo(304);
        String changed = "{\"text\":\"watered\"}";
        assertThat(ann.json("PUT", "/notes/" + id, token, changed, "If-Match", etag)
                        .statusCode())
                .isEqualTo(200);
        assertThat(ann.json("PUT", "/notes/" + id, token, changed, "If-Match", etag)
                        .statusCode())
                .as("of an earlier revision")
                .isEqualTo(412);
        assertThat(ann.json("DELETE", "/notes/" + id, "no-token", "").statusCode())
                .isEqualTo(403);
        assertThat(ann.json("DELETE", "/notes/" + id, token, "").statusCode()).isEqualTo(204);
        ann.get("/");
        assertThat(ann.post("/logout", "bye=1").statusCode()).isEqualTo(302);
        assertThat(ann.get("/").statusCode()).as("logged out").isEqualTo(302);
    }
}
