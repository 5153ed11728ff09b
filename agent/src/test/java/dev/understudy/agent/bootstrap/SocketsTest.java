package dev.understudy.agent.bootstrap;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(AllObserved.class)
final class SocketsTest {
    private static final String SPAN = "b7ad6b7169203331";
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-" + SPAN + "-01";

    private final int probe = Probes.CAPACITY / 2 + 21;
    private final Object socket = new Object();
    private final Object other = new Object();

    @BeforeEach
    void accept() {
        Sockets.accepted(socket, 4711);
        Sockets.accepted(other, 4712);
    }

    @Test
    void whatIsDoneBetweenReadingAndReadingAgain_isOneExchange() {
        read(socket, 10);
        read(socket, 5);
        Probes.exit(Probes.enter(probe));
        Sockets.writing(socket);
        read(socket, 7);
        Sockets.writing(socket);
        Sockets.reading(socket);

        Observed first = taken();
        assertThat(first.port()).isEqualTo(4711);
        assertThat(first.from()).isZero();
        assertThat(first.to()).isEqualTo(15);
        assertThat(first.span()).isEmpty();
        assertThat(first.whole()).isTrue();
        assertThat(first.predicates()).contains(probe * 16);
        Observed second = taken();
        assertThat(second.from()).isEqualTo(15);
        assertThat(second.to()).isEqualTo(22);
        assertThat(second.predicates()).isEmpty();
    }

    @Test
    void ofNettysOwnSockets_thePeersPortStandsBehindItsAddress() {
        byte[] ofFour = {9, 9, 127, 0, 0, 1, 0, 0, (byte) 0xFE, 0x01, 9};
        Object channel = new Object();
        Sockets.accepted(channel, ofFour, 2, 8);
        read(channel, 10);
        Sockets.writing(channel);
        Sockets.reading(channel);
        assertThat(taken().port()).isEqualTo(0xFE01);

        Object sixteen = new Object();
        byte[] ofSixteen = new byte[24];
        ofSixteen[23] = 80;
        Sockets.accepted(sixteen, ofSixteen, 0, 24);
        read(sixteen, 10);
        Sockets.writing(sixteen);
        Sockets.reading(sixteen);
        assertThat(taken().port()).isEqualTo(80);
    }

    @Test
    void anAddressOfAnotherKind_isNoConnection() {
        Object channel = new Object();
        for (int[] wrong : new int[][] {{0, 4}, {0, 9}, {4, 8}, {-1, 8}, {Integer.MAX_VALUE, 24}, {0, 24}}) {
            Sockets.accepted(channel, new byte[10], wrong[0], wrong[1]);
        }
        read(channel, 10);

        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void whatTheKernelHasReadMeanwhile_countsWhenItArrives() {
        Object channel = new Object();
        Sockets.accepted(channel, new InetSocketAddress("127.0.0.1", 4713));
        Sockets.arrived(channel, 10);
        Sockets.arrived(channel, -105);
        Sockets.arrived(channel, 5);
        assertThat(Objects.requireNonNull(ServedExchanges.current()).to).isEqualTo(15);
        Sockets.writing(channel);
        Sockets.arrived(channel, -125);
        assertThat(ServedExchanges.current()).as("reading was only called off").isNotNull();
        Sockets.arrived(channel, 7);
        Observed first = taken();
        assertThat(first.port()).isEqualTo(4713);
        assertThat(first.from()).isZero();
        assertThat(first.to()).isEqualTo(15);
        assertThat(first.whole()).isTrue();

        Sockets.writing(channel);
        Sockets.arrived(channel, 0);
        Observed second = taken();
        assertThat(second.from()).isEqualTo(15);
        assertThat(second.to()).isEqualTo(22);
        assertThat(ServedExchanges.current()).as("there is no more").isNull();
    }

    @Test
    void aPeerWithoutAPort_isNoConnection() {
        Object channel = new Object();
        Sockets.accepted(channel, (SocketAddress) null);
        Sockets.accepted(channel, UnixDomainSocketAddress.of("/nowhere"));
        Sockets.arrived(channel, 10);

        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aConnectionOfTheApplicationsOwn_beginsNothingAndEndsNothing() {
        Object upstream = new Object();
        read(upstream, 10);
        assertThat(ServedExchanges.current()).isNull();

        read(socket, 10);
        Sockets.writing(upstream);
        read(upstream, 10);
        assertThat(ServedExchanges.current()).isNotNull();
        assertThat(Observations.poll()).isNull();
    }

    @Test
    void whatAnotherConnectionInterrupts_isNotWhole() {
        read(socket, 10);
        read(other, 10);
        Sockets.writing(other);
        read(socket, 5);
        Sockets.writing(socket);
        Sockets.reading(socket);

        assertThat(taken().whole()).isFalse();
        assertThat(taken().port()).isEqualTo(4712);
        Observed rest = taken();
        assertThat(rest.whole()).isFalse();
        assertThat(rest.from()).isZero();
        assertThat(rest.to()).isEqualTo(15);
    }

    @Test
    void theServersEntry_namesAndEndsTheExchange() {
        read(socket, 10);
        Probes.exit(Probes.enter(probe));
        ServedExchange entered = ServedExchanges.begin(HEADER);
        Sockets.writing(socket); // 100 Continue
        read(socket, 10);
        assertThat(ServedExchanges.begin(HEADER)).isNull();
        ServedExchanges.exit(entered);

        Observed observed = taken();
        assertThat(observed.span()).isEqualTo(SPAN);
        assertThat(observed.whole()).isTrue();
        assertThat(observed.predicates()).contains(probe * 16);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void theLastRequestOfAConnection_endsWithTheTaskThatServedIt() {
        Handover.run(() -> {
            read(socket, 10);
            Probes.exit(Probes.enter(probe));
            Sockets.writing(socket);
        });

        Observed last = taken();
        assertThat(last.whole()).isTrue();
        assertThat(last.predicates()).contains(probe * 16);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aRequestThatATaskHasNotAnswered_goesOn() {
        Handover.run(() -> read(socket, 10));

        assertThat(Observations.poll()).isNull();
        assertThat(ServedExchanges.current()).isNotNull();
    }

    @Test
    void whatWasHandedOn_isWorkedOnWhenItsThreadReadsAnother() throws Exception {
        Runnable task = () -> {
            Probes.exit(Probes.enter(probe));
            Sockets.writing(socket);
        };
        read(socket, 10);
        Handover.handed(task);
        read(other, 10);
        assertThat(Observations.poll()).as("not over yet").isNull();
        OtherThreads.onAnotherStripe(() -> Handover.run(task));

        Observed first = taken();
        assertThat(first.port()).isEqualTo(4711);
        assertThat(first.to()).isEqualTo(10);
        assertThat(first.whole()).isTrue();
        assertThat(first.predicates()).contains(probe * 16);
        Sockets.writing(other);
        Sockets.reading(other);
        assertThat(taken().port()).isEqualTo(4712);
    }

    @Test
    void aReaderThatHandsOn_beginsTheNextRequestWithItsBytes() throws Exception {
        Runnable task = () -> Sockets.writing(socket);
        read(socket, 10);
        Handover.handed(task);
        Object waiting = Sockets.reading(socket);
        OtherThreads.onAnotherStripe(() -> Handover.run(task));
        Sockets.read(7, waiting);

        Observed first = taken();
        assertThat(first.to()).isEqualTo(10);
        Sockets.writing(socket);
        Sockets.read(-1, Sockets.reading(socket));
        Observed second = taken();
        assertThat(second.from()).isEqualTo(10);
        assertThat(second.to()).isEqualTo(17);
        assertThat(second.whole()).isTrue();
    }

    @Test
    void whatIsNeverAnswered_endsWithTheNextThatIsLeftSo() {
        Runnable task = () -> {};
        read(socket, 10);
        Handover.handed(task);
        read(other, 10);
        read(socket, 5);
        assertThat(taken().port()).isEqualTo(4712);
        Runnable further = () -> {};
        Handover.handed(further);
        read(other, 10);
        Observed unanswered = taken();
        assertThat(unanswered.to()).isEqualTo(10);
        assertThat(unanswered.whole()).isFalse();
    }

    private static void read(Object from, int bytes) {
        Sockets.read(bytes, Sockets.reading(from));
    }

    private static Observed taken() {
        return Objects.requireNonNull(Observations.poll());
    }
}
