package dev.understudy.agent.carry;

import dev.understudy.agent.weave.ClassNames;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CarriedClassesTest {
    @Test
    void names_areThoseOfWhatIsChanged() {
        Set<String> ofServers = new HashSet<>(PoolPoint.classes());

        assertThat(CarriedClasses.OF_JDK).isEqualTo(CarryPoint.classes());
        assertThat(CarriedClasses.SIMPLE)
                .isEqualTo(ofServers.stream().map(ClassNames::simple).collect(Collectors.toSet()));
        assertThat(CoroutinePoint.all().keySet()).allMatch(name -> name.startsWith(CarriedClasses.KOTLIN));
    }

    @Test
    void poolsThatOthersOverride_areCalledSo() {
        assertThat(CarryPoint.classes())
                .filteredOn(name -> CarryPoint.of(name).containsKey(CarryPoint.BEFORE))
                .isNotEmpty()
                .allMatch(name -> name.endsWith(CarriedClasses.POOL));
        assertThat(PoolPoint.classes())
                .filteredOn(name -> PoolPoint.of(name).containsKey(CarryPoint.BEFORE))
                .isNotEmpty()
                .allMatch(name -> name.endsWith(CarriedClasses.POOL));
    }
}
