package dev.understudy.agent.export;

import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MissingModulesTest {
    private static final List<String> NEEDED = List.of("java.net.http", "java.management");

    @Test
    void modulesThatTheImageHas_areAddedAtTheStart() {
        assertThat(MissingModules.remedy(NEEDED)).isEqualTo("--add-modules java.net.http,java.management");
        assertThat(MissingModules.remedy(List.of("jdk.jfr"))).isEqualTo("--add-modules jdk.jfr");
    }

    @Test
    void modulesThatTheImageLacks_areLinkedIntoIt() {
        assertThat(MissingModules.remedy(NEEDED, ModuleFinder.of()))
                .isEqualTo("an image made with jlink --add-modules java.net.http,java.management,…");
        assertThat(MissingModules.remedy(List.of("jdk.jfr"), only("java.management")))
                .isEqualTo("an image made with jlink --add-modules jdk.jfr,…");
    }

    @Test
    void modulesOfWhichTheImageHasSome_areLinked_andAdded() {
        assertThat(MissingModules.remedy(NEEDED, only("java.management")))
                .isEqualTo("an image made with jlink --add-modules java.net.http,…"
                        + " and a start with --add-modules java.net.http,java.management");
    }

    private static ModuleFinder only(String module) {
        return new ModuleFinder() {
            @Override
            public Optional<ModuleReference> find(String name) {
                return name.equals(module) ? ModuleFinder.ofSystem().find(name) : Optional.empty();
            }

            @Override
            public Set<ModuleReference> findAll() {
                return Set.of();
            }
        };
    }
}
