package dev.understudy.agent.carry;

import dev.understudy.agent.weave.ClassFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CarriedEditsTest {
    /** Of the JDK's, those that a version doesn't have yet or no more are left out. */
    @Test
    void theJdksExecutorsAndQueues_areEditedDirectlyAsByTheOtherWay() throws IOException {
        List<String> missing = new ArrayList<>();
        for (String name : CarryTransformer.ofJdk()) {
            byte[] classFile = ClassFiles.ofJdk(name);
            if (classFile == null) {
                missing.add(name);
            } else {
                ClassFiles.assertEditedAlike(name, CarryPoint.of(name), classFile);
            }
        }

        assertThat(missing).isSubsetOf("java/lang/VirtualThread");
    }
}
