package dev.understudy.agent.request;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ServerEntryTest {
    @Test
    void aServerUnderAnotherPackage_isKnownWithItsTypes() {
        List<ServerEntry> entries = ServerEntry.of("acme/jakarta/servlet/http/HttpServlet");

        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).className).isEqualTo("acme/jakarta/servlet/http/HttpServlet");
        assertThat(entries.get(0).descriptor)
                .isEqualTo("(Lacme/jakarta/servlet/ServletRequest;Lacme/jakarta/servlet/ServletResponse;)V");
        assertThat(entries.get(0).request).isEqualTo("acme.jakarta.servlet.http.HttpServletRequest");
    }

    @Test
    void ofUndertow_aStaticMethodTellsOfItsSecondArgument() {
        ServerEntry entry = ServerEntry.of("acme/io/undertow/server/Connectors").get(0);

        assertThat(entry.does).isEqualTo("tell");
        assertThat(entry.method + entry.descriptor)
                .isEqualTo("executeRootHandler(Lacme/io/undertow/server/HttpHandler;"
                        + "Lacme/io/undertow/server/HttpServerExchange;)V");
        assertThat(entry.request).isEqualTo("acme.io.undertow.server.HttpServerExchange");
    }

    @Test
    void aClassWhoseNameOnlyEndsLikeThat_isNone() {
        assertThat(ServerEntry.of("acme/myjakarta/servlet/http/HttpServlet")).isEmpty();
        assertThat(ServerEntry.of("jakarta/servlet/http/HttpServlet")).hasSize(1);
        assertThat(ServerEntry.of("org/apache/catalina/core/ApplicationFilterChain"))
                .hasSize(2);
    }
}
