package dev.understudy.session.clone.facts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class CopyGroupTest {
    @TempDir
    Path folder;

    @Test
    void group_isUsable_whereItsGroupsMayLimitMemoryAndProcessor() throws Exception {
        assertThat(CopyGroup.isUsable(folder)).isFalse();
        Files.writeString(folder.resolve("cgroup.subtree_control"), "hugetlb\n");
        assertThat(CopyGroup.isUsable(folder)).isFalse();
        Files.writeString(folder.resolve("cgroup.subtree_control"), "cpu io memory\n");
        assertThat(CopyGroup.isUsable(folder)).isTrue();
    }

    @Test
    void madeGroup_limitsMemory_andWeighsLittle() {
        Path group = new CopyGroup(Optional.of(folder)).make("copy", 1 << 30).orElseThrow();

        assertThat(group.resolve("memory.max")).hasContent("1073741824");
        assertThat(group.resolve("cpu.weight")).hasContent("20");
        assertThat(new CopyGroup(Optional.of(folder)).make("copy", 1)).isEmpty();
        assertThat(new CopyGroup(Optional.empty()).make("copy", 1)).isEmpty();
    }

    @Test
    void connectedSockets_areThoseWhosePeerIsAnotherProcess() {
        String listing = """
                u_str 0 0 * 11 * 12
                u_str 0 0 /run/x 13 * 99
                u_str 0 0 * 14 * 0
                u_dgr 0 0 * 15 * 98
                odd
                u_str 0 0 * 77 * 78
                """;

        assertThat(OutsideEnds.connectedSockets(
                        listing, Set.of("socket:[11]", "socket:[12]", "socket:[13]", "socket:[14]", "socket:[15]")))
                .containsExactly("socket:[13]");
    }
}
