package dev.understudy.relay.connect;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TargetsTest {
    private static final HealthConfig HEALTH = new HealthConfig(Duration.ofSeconds(1), Duration.ofSeconds(1), 2, 3);

    private final AtomicLong clock = new AtomicLong(1);
    private final Map<String, List<String>> zone = new ConcurrentHashMap<>();
    private final AtomicInteger lookUps = new AtomicInteger();

    private Targets targets(String... addresses) {
        ProductionConfig config = new ProductionConfig(
                List.of(addresses).stream().map(Address::parse).toList(),
                false,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                HEALTH,
                null);
        return new Targets(config, this::answer, clock::get);
    }

    private CompletableFuture<List<InetAddress>> answer(String host) {
        lookUps.incrementAndGet();
        List<String> addresses = zone.get(host);
        if (addresses == null) {
            return CompletableFuture.failedFuture(new UnknownHostException(host));
        }
        return CompletableFuture.completedFuture(
                addresses.stream().map(TargetsTest::digits).toList());
    }

    private static InetAddress digits(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> spelled(Targets targets) {
        return targets.order().stream().map(Target::spelled).toList();
    }

    @Test
    void nameWithSeveralAddresses_isAListInItsPlace() {
        zone.put("shop", List.of("10.0.0.1", "10.0.0.2"));
        Targets targets = targets("10.9.9.9:1", "shop:80", "[::1]:81", "unix:/run/shop.sock");
        assertThat(spelled(targets)).containsExactly("10.9.9.9:1", "[0:0:0:0:0:0:0:1]:81", "unix:/run/shop.sock");
        targets.lookUp();
        assertThat(spelled(targets))
                .containsExactly(
                        "10.9.9.9:1", "10.0.0.1:80", "10.0.0.2:80", "[0:0:0:0:0:0:0:1]:81", "unix:/run/shop.sock");
    }

    @Test
    void name_isLookedUpAgainAfterItsTime_andHealthStaysWithTheAddress() {
        zone.put("shop", List.of("10.0.0.1", "10.0.0.2"));
        Targets targets = targets("shop:80");
        targets.lookUp();
        targets.order().get(0).failed(true);
        zone.put("shop", List.of("10.0.0.3", "10.0.0.1"));
        clock.addAndGet(Duration.ofSeconds(30).toNanos() - 1);
        targets.refresh();
        assertThat(spelled(targets)).containsExactly("10.0.0.2:80", "10.0.0.1:80");
        clock.incrementAndGet();
        targets.refresh();
        assertThat(spelled(targets)).containsExactly("10.0.0.3:80", "10.0.0.1:80");
        assertThat(targets.order().get(1).up()).isFalse();
    }

    @Test
    void failedLookUp_keepsTheLastAnswer() {
        zone.put("shop", List.of("10.0.0.1"));
        Targets targets = targets("shop:80");
        targets.lookUp();
        zone.clear();
        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        targets.refresh();
        assertThat(lookUps).hasValue(2);
        assertThat(spelled(targets)).containsExactly("10.0.0.1:80");
    }

    @Test
    void manyClientsOfAMissingName_askOnceASecond() {
        Targets targets = targets("shop:80");
        for (int n = 0; n < 100; n++) {
            targets.lookUp();
        }
        assertThat(lookUps).hasValue(1);
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        targets.lookUp();
        assertThat(lookUps).hasValue(2);
        assertThat(targets.status()).containsExactly(new TargetStatus("shop:80", "", false, 0, 0));
    }

    @Test
    void health_risesAndFallsByResultsInARow() {
        Target target = targets("10.0.0.1:1").order().get(0);
        target.missed();
        target.missed();
        target.succeeded();
        target.missed();
        target.missed();
        assertThat(target.up()).isTrue();
        target.missed();
        assertThat(target.up()).isFalse();
        target.succeeded();
        target.missed();
        target.succeeded();
        assertThat(target.up()).isFalse();
        target.succeeded();
        assertThat(target.up()).isTrue();
        target.failed(true);
        assertThat(target.up()).isFalse();
    }

    @Test
    void addresses_areSpelledAsTheyAreRead() {
        for (String address : List.of("a:1", "[::1]:65535", "unix:/run/a.sock", "127.0.0.1:80")) {
            assertThat(Address.parse(address).spelled()).isEqualTo(address);
        }
        for (String wrong : List.of("a", "a:", ":1", "a:0", "a:65536", "::1:80", "unix:", "unix:/" + "x".repeat(107))) {
            assertThatThrownBy(() -> Address.parse(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
