package dev.understudy.sidecar;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Date;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Who may import whom: command, root, control, lane, and below them frame, order, trace, verdict and window. */
@AnalyzeClasses(packages = "dev.understudy", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String ROOT = "dev.understudy.sidecar";

    @ArchTest
    static final ArchRule sidecar_doesNotKnowTheOtherHouses = noClasses()
            .that()
            .resideInAPackage(ROOT + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.understudy.aggregator..", "dev.understudy.agent..", "dev.understudy.example..");

    @ArchTest
    static final ArchRule commands_areImportedByNobody = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".command..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".command..");

    @ArchTest
    static final ArchRule packages_importOneWay =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule lower_packages_standAlone = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".frame", ROOT + ".order", ROOT + ".window", ROOT + ".trace", ROOT + ".verdict")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".lane", ROOT + ".control");

    @ArchTest
    static final ArchRule lanes_knowNeitherControlNorAssembly = noClasses()
            .that()
            .resideInAPackage(ROOT + ".lane")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".control", "dev.understudy.relay.control", "dev.understudy.relay.config");

    @ArchTest
    static final ArchRule order_andWindow_needNoNetwork = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".order", ROOT + ".window")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "dev.understudy.relay..");

    /**
     * A clock that jumps must move no timer: what waits is measured by {@link System#nanoTime}. What is shown to people
     * has a wall clock's time: spans, the window's reading, verdicts of a replay,
     * since when there is a recording.
     */
    @ArchTest
    static final ArchRule dataPath_asksNoWallClock = noClasses()
            .that()
            .resideInAPackage(ROOT + "..")
            .and()
            .resideOutsideOfPackages(ROOT + ".command..", ROOT + ".control..")
            .and()
            .doNotHaveSimpleName("WallClock")
            .and()
            .doNotHaveSimpleName("ControlPort")
            .and()
            .doNotHaveSimpleName("Ticker")
            .and()
            .doNotHaveSimpleName("Replies")
            .and()
            .doNotHaveSimpleName("LiveRecording")
            .and()
            .doNotHaveSimpleName("RecordingSwitch")
            .should()
            .callMethodWhere(target(owner(assignableTo(System.class))).and(target(name("currentTimeMillis"))))
            .orShould()
            .callMethodWhere(target(owner(resideInAPackage("java.time..")))
                    .and(target(nameMatching("now|system.*|instant|millis"))))
            .orShould()
            .callConstructor(Date.class);
}
