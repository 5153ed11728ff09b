package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/** A real gRPC client and server: production's calls reach the server, debug's are answered from them. */
abstract class GrpcStage {
    GrpcEcho server;
    Aggregator aggregator;
    ManagedChannel production;
    ManagedChannel debug;

    @BeforeEach
    void start() throws IOException {
        server = new GrpcEcho();
        open("wait: 30s");
    }

    final void open(String... settings) throws IOException {
        stopClients();
        aggregator = TestAggregator.open("http", server.port(), settings);
        production = channel(aggregator.productionAddress("test"));
        debug = channel(aggregator.debugAddress("test"));
    }

    @AfterEach
    void stop() {
        stopClients();
        server.close();
    }

    private void stopClients() {
        if (aggregator != null) {
            production.shutdownNow();
            debug.shutdownNow();
            aggregator.close();
        }
    }

    void assertReplayed(int calls) {
        assertThat(TestAggregator.status(aggregator))
                .contains("\"replayed\":" + calls, "\"missed\":0", "\"unframed\":{}");
        assertThat(server.calls).hasSize(calls);
    }

    static String once(ManagedChannel channel, String message) {
        return call(channel, GrpcEcho.ONCE, message);
    }

    static String call(ManagedChannel channel, MethodDescriptor<String, String> method, String message) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, message);
    }

    static String sum(ManagedChannel channel, String... messages) throws Exception {
        GrpcConversation call = new GrpcConversation(channel, GrpcEcho.SUM);
        for (String message : messages) {
            call.say(message);
        }
        call.end();
        return call.next();
    }

    private static ManagedChannel channel(SocketAddress address) {
        return NettyChannelBuilder.forAddress("127.0.0.1", ((InetSocketAddress) address).getPort())
                .usePlaintext()
                .build();
    }
}
