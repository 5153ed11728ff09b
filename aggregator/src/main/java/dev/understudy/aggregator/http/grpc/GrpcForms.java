package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The forms of a gRPC call. A call whose reply comes after its request has the form of any HTTP request: path, chosen
 * metadata, all messages. Of a conversation, which has to be answered before it is said to its end, only the messages
 * count that production had sent when its reply began; what follows is checked message by message as it comes
 * ({@link dev.understudy.aggregator.http.HttpPace}).
 */
public final class GrpcForms {
    public static final String HEALTH = "/grpc.health.v1.Health/";
    public static final String REFLECTION = "/grpc.reflection.";

    private GrpcForms() {}

    /** Of so many first messages of a conversation its form may be made. */
    static final int MOST_FIRST = 8;

    /** Of a conversation that the client begins, whose reply began after these first messages' hashes. */
    public static Form begun(UpstreamHttpRequest request, byte[] firstMessages) {
        return request.beginning("conversation", firstMessages);
    }

    /** The hashes of the first messages with one more, if that counts. */
    static byte[] with(byte[] firstMessages, byte[] hash) {
        if (firstMessages.length >= MOST_FIRST * GrpcMessages.HASH) {
            return firstMessages;
        }
        byte[] all = Arrays.copyOf(firstMessages, firstMessages.length + hash.length);
        System.arraycopy(hash, 0, all, firstMessages.length, hash.length);
        return all;
    }

    /** Of a conversation that the server begins. */
    public static Form opening(UpstreamHttpRequest request) {
        return request.beginning("conversation that the server begins", new byte[0]);
    }

    /**
     * The fact that calls of this path have been conversations: a bit for each number of messages after which a reply
     * began.
     */
    public static String talks(String path) {
        return "grpc talks " + path;
    }

    /** The bit for a conversation whose reply began after these first messages' hashes. */
    public static int after(byte[] firstMessages) {
        return 1 << (firstMessages.length / GrpcMessages.HASH);
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
