package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Faults on purpose, as clients of gRPC and MariaDB's driver meet them; production meets none, and no recording is used
 * up.
 */
@Tag("process")
class FaultsInOwnWordsTest {
    @Test
    void grpcError_isAStatus_andAResetEndsItsCallOnly() throws Exception {
        try (GrpcEcho server = new GrpcEcho();
                Aggregator aggregator = TestAggregator.open("http", server.port(), "wait: 30s")) {
            ManagedChannel production = channel(aggregator.productionAddress("test"));
            ManagedChannel debug = channel(aggregator.debugAddress("test"));
            try {
                String real = once(production, "a");
                set(aggregator, "busy", "upstream: test\nfault: error\ncode: '503'\nmessage: too busy");
                assertThatThrownBy(() -> once(debug, "a"))
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                failed ->
                                        assertThat(failed.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE))
                        .hasMessageContaining("injected by understudy (busy): too busy");
                set(aggregator, "busy", "upstream: test\nfault: error\ncode: '403'");
                assertThatThrownBy(() -> once(debug, "a")).hasMessageStartingWith("PERMISSION_DENIED");
                set(aggregator, "busy", "upstream: test\nfault: reset\nform: '*once*'");
                assertThatThrownBy(() -> once(debug, "a")).isInstanceOf(StatusRuntimeException.class);
                assertThat(once(production, "b")).isEqualTo("2 b");

                call(aggregator, "DELETE", "busy", "");
                assertThat(once(debug, "a")).isEqualTo(real);
                assertThat(TestAggregator.status(aggregator)).contains("\"faulted\":3", "\"missed\":0");
                assertThat(server.calls).hasSize(2);
            } finally {
                production.shutdownNow();
                debug.shutdownNow();
            }
        }
    }

    @Test
    void mySqlError_hasItsSqlStateAndNumber() throws Exception {
        try (MySqlSides sides = new MySqlSides("wait: 30s");
                Connection production = sides.production("mariadb ");
                Connection debug = sides.debug("mariadb ")) {
            assertThat(answer(production)).isEqualTo(42);
            set(sides.aggregator, "clash", "upstream: test\nfault: error\ncode: '40001'\nform: 'SELECT 40*'");
            assertThatThrownBy(() -> answer(debug))
                    .isInstanceOfSatisfying(SQLException.class, failed -> {
                        assertThat(failed.getSQLState()).isEqualTo("40001");
                        assertThat(failed.getErrorCode()).isEqualTo(1213);
                    })
                    .hasMessageContaining("injected by understudy (clash)");
            assertThat(answer(production)).isEqualTo(42);

            set(sides.aggregator, "clash", "upstream: test\nfault: error\ncode: '08004'\nmessage: full");
            assertThatThrownBy(() -> sides.debug("mariadb ").close())
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failed -> assertThat(failed.getErrorCode()).isEqualTo(1040))
                    .hasMessageContaining("full");

            call(sides.aggregator, "DELETE", "clash", "");
            assertThat(answer(debug)).as("what the fault left").isEqualTo(42);
            assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
        }
    }

    private static int answer(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 40 + 2")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static String once(ManagedChannel channel, String message) {
        return ClientCalls.blockingUnaryCall(channel, GrpcEcho.ONCE, CallOptions.DEFAULT, message);
    }

    private static ManagedChannel channel(SocketAddress address) {
        return NettyChannelBuilder.forAddress("127.0.0.1", ((InetSocketAddress) address).getPort())
                .usePlaintext()
                .build();
    }

    private static void set(Aggregator aggregator, String name, String rule) throws Exception {
        call(aggregator, "PUT", name, rule);
    }

    private static void call(Aggregator aggregator, String method, String name, String rule) throws Exception {
        int port = aggregator.controlAddress().getPort();
        HttpRequest asked = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/faults/" + name))
                .header("Content-Type", "application/yaml")
                .method(method, BodyPublishers.ofString(rule))
                .build();
        var reply = HttpClient.newHttpClient().send(asked, BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }
}
