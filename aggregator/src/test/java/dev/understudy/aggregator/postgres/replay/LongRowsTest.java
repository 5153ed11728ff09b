package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.aggregator.replay.Matches;
import dev.understudy.aggregator.replay.Misses;
import dev.understudy.aggregator.replay.ReplayCounts;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.aggregator.tls.TlsPort;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows that lie in files and are too long to be held. */
class LongRowsTest {
    private static final String SQL = "SELECT x FROM long";
    private static final int PIECE = 256 << 10;

    @TempDir
    private Path folder;

    private final ReplayCounts counts = new ReplayCounts();
    private final Journal<PgReply> journal = new Journal<>(
            new JournalBounds(1 << 20, Duration.ofHours(1), false), () -> 0L, new InboundExchanges(() -> 0L));
    private EventLoopGroup loops;
    private Channel port;
    private LargeBodies bodies;

    @BeforeEach
    void open() throws Exception {
        UpstreamReplay<PgReply> replay = new UpstreamReplay<>(
                "test",
                journal,
                CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL)),
                counts,
                new Misses(InstantSource.fixed(Instant.EPOCH)),
                new Matches(InstantSource.fixed(Instant.EPOCH), matched -> {}),
                100_000);
        TlsPort tls = DebugTls.open(null, List.of(), InstantSource.system(), Runnable::run)
                .port("test", List.of("postgresql"));
        ServerFacts facts = new ServerFacts();
        Backends backends = new Backends();
        bodies = LargeBodies.keep(
                folder, UnpooledByteBufAllocator.DEFAULT, 256L << 20, 1, new MemoryBudget(256L << 20, null));
        loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        port = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new PgReplayHandler(replay, facts, backends, tls));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }

    @AfterEach
    void close() throws Exception {
        port.close().sync();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        bodies.close();
    }

    @Test
    void rows_areGivenAsTheyWere_howeverLongEachIs() throws Exception {
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            List<PgMessage> rows = new ArrayList<>();
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                int near = PIECE - 64 + random.nextInt(128);
                rows.add(row(random.nextInt(3) * near + random.nextInt(40), random));
            }
            record(wire(rows));
            List<PgMessage> answer = ask();
            assertThat(answer.subList(1, answer.size() - 2)).as("seed " + seed).isEqualTo(rows);
            assertThat(types(answer)).startsWith("TD").endsWith("DCZ");
        }
        assertThat(counts.missed()).isZero();
    }

    @Test
    void damageWithinARow_endsTheConnection_sinceThereIsNoPlaceForAnError() throws Exception {
        record(wire(List.of(row(10, new Random(1)), row(3 * PIECE, new Random(2)))));
        damage(2 * PIECE);
        assertThat(types(ask())).as("the row isn't complete").isEqualTo("TD");
        assertThat(counts.unfit()).isEqualTo(1);
    }

    @Test
    void damageBetweenRows_isAnError() throws Exception {
        record(wire(List.of(row(3 * PIECE, new Random(2)))));
        damage(1000);
        List<PgMessage> answer = ask();
        assertThat(types(answer)).isEqualTo("TEZ");
        assertThat(PgErrors.state(answer.get(1))).isEqualTo(PgReply.NOT_PRESENTABLE);
    }

    @Test
    void bytesThatAreNoRows_endInAnErrorOrTheConnection() throws Exception {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            byte[] bytes = wire(List.of(row(50, random), row(PIECE + random.nextInt(PIECE), random), row(50, random)));
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextBoolean() ? random.nextInt(80) : bytes.length - 1 - random.nextInt(80);
                bytes[at] = (byte) random.nextInt();
            }
            record(random.nextInt(3) == 0 ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            assertThat(types(ask())).as("seed " + seed).startsWith("T").matches("T[^Z]*Z?");
        }
    }

    private void record(byte[] rows) throws Exception {
        BodyWriter writer = bodies.begin();
        writer.add(rows);
        LargeBody body = writer.finish();
        CompletableFuture<Boolean> whole = new CompletableFuture<>();
        body.whenSettled(whole::complete);
        assertThat(whole.get(60, TimeUnit.SECONDS)).isTrue();
        PgTransaction transaction = new PgTransaction();
        transaction.end(Outcome.COMMITTED, null);
        PgMessage end = new PgWriter().string("SELECT 1").toMessage('C');
        PgResult result = new PgResult(
                List.of(new Column("x", 0, (short) 0, 25, (short) -1, -1)),
                Formats.TEXT,
                List.of(),
                List.of(),
                end,
                null,
                TextStyle.DEFAULT,
                transaction,
                body,
                QueryStep.EXECUTE);
        journal.add(PgForms.statement(new PgSessionState("u", "", ""), new Wording(SQL), List.of()), 1, 0, 0, result);
    }

    private void damage(long at) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.filter(one -> !one.endsWith("lock")).findFirst().orElseThrow();
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                bytes.seek(at);
                int octet = bytes.read();
                bytes.seek(at);
                bytes.write(octet ^ 1);
            }
        }
    }

    /** What a new session is told, from the answer on. */
    private List<PgMessage> ask() throws IOException {
        InetSocketAddress address = (InetSocketAddress) port.localAddress();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(60_000);
            byte[] startup = new PgWriter()
                    .int32(3 << 16)
                    .string("user")
                    .string("u")
                    .int8(0)
                    .toBytes();
            socket.getOutputStream()
                    .write(new PgWriter()
                            .int32(startup.length + 4)
                            .bytes(startup)
                            .toBytes());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            List<PgMessage> greeting = read(in);
            assertThat(types(greeting)).endsWith("Z");
            socket.getOutputStream()
                    .write(wire(List.of(new PgWriter().string(SQL).toMessage('Q'))));
            return read(in);
        }
    }

    /** All whole messages up to ReadyForQuery or the end. */
    private static List<PgMessage> read(DataInputStream in) throws IOException {
        List<PgMessage> told = new ArrayList<>();
        try {
            char type = 0;
            while (type != 'Z') {
                type = (char) in.readUnsignedByte();
                byte[] body = new byte[in.readInt() - Integer.BYTES];
                in.readFully(body);
                told.add(new PgMessage(type, body));
            }
        } catch (EOFException | SocketException ended) {
            return told;
        }
        return told;
    }

    private static String types(List<PgMessage> messages) {
        StringBuilder types = new StringBuilder();
        messages.forEach(message -> types.append(message.type()));
        return types.toString();
    }

    private static PgMessage row(int length, Random random) {
        byte[] value = new byte[length];
        random.nextBytes(value);
        return new PgWriter().int16(1).value(value).toMessage('D');
    }

    private static byte[] wire(List<PgMessage> messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (PgMessage message : messages) {
            ByteBuffer wire = ByteBuffer.allocate(message.wireLength());
            message.writeTo(wire);
            bytes.writeBytes(wire.array());
        }
        return bytes.toByteArray();
    }
}
