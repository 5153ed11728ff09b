package dev.understudy.aggregator;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.understudy.relay.SharedRules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Proves that there is no way in the code from the debug port to an upstream, and that imports run one way. */
@AnalyzeClasses(packages = "dev.understudy.aggregator", importOptions = DoNotIncludeTests.class)
class IsolationTest {
    private static final String KEY_MANAGER = "dev.understudy.aggregator.tls.ServerCertificates";
    private static final DescribedPredicate<JavaClass> CAN_CONNECT = DescribedPredicate.<JavaClass>or(
                    nameMatching("io\\.netty\\.bootstrap\\.Bootstrap"),
                    nameMatching("io\\.netty\\.channel\\.(nio|epoll)\\..*"),
                    nameMatching("java\\.net\\.(Socket|URL|URLConnection|HttpURLConnection|DatagramSocket)"),
                    nameMatching("java\\.nio\\.channels\\.(Asynchronous)?(Socket|Datagram)Channel"),
                    resideInAPackage("java.net.http.."))
            .as("code that can open a connection");

    /** Only the assembly knows where an upstream is; whatever can reach the assembly could ask it. */
    private static final String[] ASSEMBLY = {
        "dev.understudy.aggregator",
        "dev.understudy.aggregator.config",
        "dev.understudy.aggregator.production",
        "dev.understudy.aggregator.command"
    };

    private static final DescribedPredicate<JavaClass> KNOWS_UPSTREAMS = DescribedPredicate.<JavaClass>or(
                    nameMatching("dev\\.understudy\\.relay\\.(Listener|RelayConfig|deliver\\..*|loop\\.EventLoops|"
                            + "connect\\..*)"),
                    resideInAnyPackage(ASSEMBLY),
                    resideInAPackage("dev.understudy.relay.config.."))
            .as("code that knows an upstream's address");

    private static final DescribedPredicate<JavaClass> ANSWERS_DEBUG = DescribedPredicate.<JavaClass>or(
                    nameMatching(".*Replay.*Handler(\\$.*)?"), resideInAPackage("..replay.."))
            .as("code that answers the debug JVM");

    @ArchTest
    static final ArchRule nothingHere_opensAConnection = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(KEY_MANAGER)
            .should()
            .dependOnClassesThat(CAN_CONNECT)
            .because("connections are opened by relay alone");

    /** The JDK's interface of key managers has sockets as parameters. */
    @ArchTest
    static final ArchRule keyManager_callsNothingOfThem = noClasses()
            .that()
            .haveFullyQualifiedName(KEY_MANAGER)
            .should()
            .callCodeUnitWhere(JavaCall.Predicates.target(HasOwner.Predicates.With.owner(CAN_CONNECT)));

    @ArchTest
    static final ArchRule onlyTheAssembly_knowsAnUpstream =
            noClasses().that().resideOutsideOfPackages(ASSEMBLY).should().dependOnClassesThat(KNOWS_UPSTREAMS);

    @ArchTest
    static final ArchRule replay_knowsNothingOfProductionsSide = noClasses()
            .that(ANSWERS_DEBUG)
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.understudy.relay..", "..aggregator.record.."));

    /** What a stand-in is sent goes to its own address: what opens it isn't given an upstream's to connect to. */
    @ArchTest
    static final ArchRule standIn_isOpenedWithoutAnUpstreamsAddress = noClasses()
            .that()
            .haveSimpleName("StandinServer")
            .should()
            .dependOnClassesThat(nameMatching(".*\\.(UpstreamConfig|AggregatorConfig|ProductionConfig|Upstream)"));

    @ArchTest
    static final ArchRule standIn_hasOneWay = noClasses()
            .that()
            .doNotHaveSimpleName("StandinServer")
            .should()
            .callMethodWhere(JavaCall.Predicates.target(nameMatching("standin"))
                    .and(JavaCall.Predicates.target(HasOwner.Predicates.With.owner(
                            nameMatching("dev\\.understudy\\.aggregator\\.LiveTarget")))));

    /** Whatever production's bytes pass through: no fault can reach it. */
    @ArchTest
    static final ArchRule productionsSide_knowsNoFaults = noClasses()
            .that(DescribedPredicate.<JavaClass>or(
                            resideInAnyPackage(
                                    "..aggregator.record..",
                                    "..aggregator.body",
                                    "..aggregator.exchange",
                                    "..aggregator.journal..",
                                    "..aggregator.match..",
                                    "..postgres.record..",
                                    "..aggregator.fact..",
                                    "..postgres.exchange..",
                                    "..mysql.record..",
                                    "..mysql.exchange..",
                                    "..mysql.sql..",
                                    "..postgres.sql.."),
                            nameMatching(".*Recorder(\\$.*)?"))
                    .as("code on production's side"))
            .should()
            .dependOnClassesThat(resideInAnyPackage("..aggregator.fault..", "..replay.."));

    @ArchTest
    static final ArchRule faults_knowNobody = noClasses()
            .that()
            .resideInAPackage("..aggregator.fault..")
            .should()
            .dependOnClassesThat(DescribedPredicate.<JavaClass>or(
                    resideInAPackage("dev.understudy.relay.."),
                    resideInAPackage("dev.understudy.aggregator..")
                            .and(DescribedPredicate.not(DescribedPredicate.or(
                                    resideInAPackage("..aggregator.fault.."), nameMatching(".*\\.FormPattern"))))));

    /** Of the relay it uses the files in which bytes wait on disk. */
    @ArchTest
    static final ArchRule journal_knowsNobody = noClasses()
            .that()
            .resideInAnyPackage("..aggregator.journal..", "..aggregator.exchange")
            .should()
            .dependOnClassesThat(DescribedPredicate.<JavaClass>or(
                    resideInAnyPackage(
                            "..aggregator",
                            "..aggregator.record..",
                            "..aggregator.replay..",
                            "..aggregator.http..",
                            "..aggregator.redis..",
                            "..aggregator.postgres..",
                            "..aggregator.mysql.."),
                    resideInAPackage("dev.understudy.relay..")
                            .and(DescribedPredicate.not(resideInAPackage("dev.understudy.relay.stream")))));

    @ArchTest
    static final ArchRule protocols_dontKnowEachOther = noClasses()
            .that()
            .resideInAPackage("..aggregator.http..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("..aggregator.redis..", "..aggregator.postgres.."))
            .andShould()
            .dependOnClassesThat(resideInAPackage("dev.understudy.relay.."));

    /**
     * A miss, a match, the command's log, the validity of certificates and what another process reads from disk have a
     * wall clock's time.
     */
    @ArchTest
    static final ArchRule aggregator_asksNoWallClock = SharedRules.noWallClock(
            "dev.understudy.aggregator",
            "Aggregator|Main|journal\\.disk\\.JournalDisk|replay\\.(Misses|Matches)|"
                    + "tls\\.(Authority|AuthorityFolder|ServerCertificates)");

    @ArchTest
    static final ArchRule packages_importOneWay =
            SharedRules.importsRunOneWay("dev\\.understudy\\.aggregator\\.(\\w+).*");

    /** The journal stands on what it keeps and on what it remembers, and never the other way round. */
    @ArchTest
    static final ArchRule journalsParts_importOneWay =
            SharedRules.importsRunOneWay("dev\\.understudy\\.aggregator\\.(exchange|journal(?:\\.\\w+)?)");
}
