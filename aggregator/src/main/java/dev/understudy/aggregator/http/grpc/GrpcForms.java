package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import java.util.HexFormat;

/**
 * The forms of a gRPC call. A call whose reply comes after its request has the form of any HTTP request: path, chosen
 * metadata, all messages. Of a conversation, which has to be answered before it is said to its end, only the beginning
 * can count; what follows is checked message by message as it comes ({@link dev.understudy.aggregator.http.HttpPace}).
 */
public final class GrpcForms {
    public static final String HEALTH = "/grpc.health.v1.Health/";
    public static final String REFLECTION = "/grpc.reflection.";

    private GrpcForms() {}

    /** Of a conversation that the client begins. */
    public static Form begun(UpstreamHttpRequest request, byte[] firstMessage) {
        return request.beginning("conversation", firstMessage);
    }

    /** Of a conversation that the server begins. */
    public static Form opening(UpstreamHttpRequest request) {
        return request.beginning("conversation that the server begins", new byte[0]);
    }

    /** The fact that calls of this path have been conversations. */
    public static String talks(String path) {
        return "grpc talks " + path;
    }

    /** The fact that calls of this path have been conversations that the server began. */
    public static String opens(String path) {
        return "grpc opens " + path;
    }

    /** The fact that calls of this path were answered after their end. */
    public static String waits(String path) {
        return "grpc waits " + path;
    }

    /** The fact of what the server last said about the health of the service that this message names. */
    public static String health(String path, byte[] message) {
        return "grpc health " + path + ' ' + HexFormat.of().formatHex(message, 0, 16);
    }
}
