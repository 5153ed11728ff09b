package dev.understudy.sidecar.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class RingCommandTest {
    private static final String RING =
            "5553544452494e470100000040000000030000006712000000401e18240a06001b000000000000000000000000000000"
                    + "000000000000000000000000000000000100130007000000636f6d2e73686f702e4361727423746f74616c0000000000"
                    + "000000000000000000000000000000000000000000000000000000000000000001000000000000000101000007000000"
                    + "01401e18240a0600dc05000000000000b004000000000000ffffffffffffffff31332069716badb7170000007282bd2d"
                    + "0200000000000000030000000700000002401e18240a0600020000000000000000000000000000000000000000000000"
                    + "000000000000000000000000dde882420000000000000000000000000000000000000000000000000000000000000000"
                    + "0000000000000000000000000000000000000000000000000000000000000000";

    @TempDir
    Path folder;

    @Test
    void show_printsWhatIsThere_asLinesOrJson_orPartsOfIt() throws IOException {
        Path file = Files.write(folder.resolve("agent.ring"), HexFormat.of().parseHex(RING));

        Ran all = Ran.run("ring", "show", file.toString());
        assertThat(all.code()).as(all.toString()).isZero();
        assertThat(all.out())
                .contains(
                        "call com.shop.Cart#total micros=1.500 cpuMicros=1.200",
                        "stance=off",
                        "2 of 2 records of process 4711");
        assertThat(Ran.run("ring", "show", file.toString(), "--json", "--last", "1")
                        .out())
                .isEqualTo("{\"number\":2,\"at\":\"2023-11-14T22:13:20.000002Z\",\"kind\":\"stance\","
                        + "\"method\":\"com.shop.Cart#total\",\"stance\":\"off\"}\n");
        assertThat(Ran.run("ring", "show", file.toString(), "--kind", "call,cost")
                        .out())
                .contains("1 of 2 records")
                .doesNotContain("stance=");
        assertThat(Ran.run("ring", "show", file.toString(), "--method", "Cart#").code())
                .isZero();
        assertThat(Ran.run("ring", "show", file.toString(), "--method", "Money#")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void show_saysWhatIsNoRing() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "nothing");

        assertThat(Ran.run("ring", "show", file.toString()))
                .isEqualTo(new Ran(
                        2, "", "understudy ring show: " + file + " is no ring: it doesn't begin with USTDRING\n"));
        assertThat(Ran.run("ring", "show", folder.resolve("absent").toString()).code())
                .isEqualTo(2);
    }
}
