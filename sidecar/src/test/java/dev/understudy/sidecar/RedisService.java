package dev.understudy.sidecar;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespCommands;
import dev.understudy.divergence.wire.redis.RespScanner;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A server that speaks RESP: remembers the commands that it got, and answers what it was told to. */
final class RedisService {
    final List<String> got = new CopyOnWriteArrayList<>();
    private final Function<RedisCommand, String> answers;

    /** @param answers the reply's bytes, with {@code ~} for line ends; empty for none */
    RedisService(Function<RedisCommand, String> answers) {
        this.answers = answers;
    }

    /** Says OK to everything. */
    static RedisService agreeing() {
        return new RedisService(command -> "+OK~");
    }

    /** A script: answers until the client leaves. */
    void serve(Socket socket) throws Exception {
        RespCommands commands = new RespCommands();
        byte[] read = new byte[64 * 1024];
        for (int count = socket.getInputStream().read(read);
                count > 0;
                count = socket.getInputStream().read(read)) {
            ByteBuffer bytes = ByteBuffer.wrap(read, 0, count);
            StringBuilder said = new StringBuilder();
            for (RespScanner.Found found = commands.scan(bytes);
                    found != RespScanner.Found.MORE;
                    found = commands.scan(bytes)) {
                if (found == RespScanner.Found.MALFORMED) {
                    PlainServer.write(socket, "-ERR Protocol error\r\n");
                    return;
                }
                RedisCommand command = Objects.requireNonNull(commands.command());
                got.add((command.name() + " " + command.text(0)).strip());
                said.append(answers.apply(command).replace("~", "\r\n"));
                commands.next();
            }
            socket.getOutputStream().write(said.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    static String command(String... words) {
        StringBuilder wire = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            wire.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return wire.toString();
    }
}
