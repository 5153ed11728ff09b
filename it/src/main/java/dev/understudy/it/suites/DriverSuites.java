package dev.understudy.it.suites;

import dev.understudy.it.fidelity.server.Server;
import dev.understudy.it.suites.PythonPackage.Edit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The suites, with their versions and checksums. */
public final class DriverSuites {
    private static final String HOST = "127.0.0.1";
    private static final String TESTS = "tests";
    private static final String PYTEST = "pytest==9.0.1";
    private static final String LIMITS = "pytest-timeout==2.4.0";
    private static final String LOOPS = "pytest-asyncio==1.3.0";

    private final Path standIn;

    /**
     * Makes the list.
     *
     * @param standIn takes the place of the {@code redis-server} that a suite starts
     */
    public DriverSuites(Path standIn) {
        this.standIn = standIn;
    }

    /** All of them. */
    public List<DriverSuite> all() {
        return List.of(pgx(), libPq(), asyncpg(), pg8000(), goSqlDriver(), aiomysql(), redigo(), redisPy());
    }

    private static DriverSuite pgx() {
        return new DriverSuite(
                "pgx",
                Server.Kind.POSTGRES,
                new GoModule(
                        "github.com/jackc/pgx/v5",
                        "v5.12.0",
                        "h1:hWwax8YiGT0YiN50U1oIDn5kgR7KC2tG3rmavwpPkxY=",
                        List.of(".", "./pgconn", "./pgtype", "./pgtype/zeronull", "./pgxpool", "./stdlib")),
                List.of(
                        "CREATE EXTENSION hstore",
                        "CREATE EXTENSION ltree",
                        "CREATE DOMAIN uint64 AS numeric(20,0)",
                        "CREATE ROLE \" tricky, ' } \"\" \\ test user \" SUPERUSER LOGIN",
                        "CREATE ROLE postgres SUPERUSER LOGIN"),
                port -> Map.of("PGX_TEST_DATABASE", "host=" + HOST + " port=" + port + " user=bench dbname=postgres"),
                // thousands of cancelled requests, which are the clock's
                port -> List.of("-skip=Stress|ContextWatcherHandler"));
    }

    private static DriverSuite libPq() {
        return new DriverSuite(
                "lib-pq",
                Server.Kind.POSTGRES,
                new GoModule(
                        "github.com/lib/pq",
                        "v1.12.3",
                        "h1:tTWxr2YLKwIvK90ZXEw8GP7UFHtcbTtty8zsI+YjrfQ=",
                        List.of(".", "./hstore")),
                List.of("CREATE ROLE pqgo SUPERUSER LOGIN", "CREATE DATABASE pqgo OWNER pqgo"),
                port -> Map.of("PGHOST", HOST, "PGPORT", Integer.toString(port)),
                port -> List.of());
    }

    private static DriverSuite asyncpg() {
        return new DriverSuite(
                "asyncpg",
                Server.Kind.POSTGRES,
                new PythonPackage(
                        "asyncpg",
                        "0.31.0",
                        "c989386c83940bfbd787180f2b1519415e2d3d6277a70d9d0f0145ac73500735",
                        List.of(TESTS),
                        List.of(PYTEST, LIMITS, "distro==1.9.0", "uvloop==0.22.1"),
                        List.of()),
                List.of("CREATE ROLE postgres SUPERUSER LOGIN"),
                port -> Map.of(
                        "PGHOST",
                        HOST,
                        "PGPORT",
                        Integer.toString(port),
                        "PGUSER",
                        "postgres",
                        "PGDATABASE",
                        "postgres"),
                port -> List.of(TESTS, "--ignore=tests/test__sourcecode.py"));
    }

    private static DriverSuite pg8000() {
        return new DriverSuite(
                "pg8000",
                Server.Kind.POSTGRES,
                new PythonPackage(
                        "pg8000",
                        "1.31.5",
                        "46ebb03be52b7a77c03c725c79da2ca281d6e8f59577ca66b17c9009618cae78",
                        List.of("test", "pyproject.toml"),
                        List.of(
                                PYTEST,
                                LIMITS,
                                "pytest-mock==3.15.1",
                                "pytest-benchmark==5.2.3",
                                "scramp==1.4.6",
                                "pytz==2025.2"),
                        List.of()),
                List.of("CREATE ROLE postgres SUPERUSER LOGIN", "CREATE EXTENSION hstore"),
                port -> Map.of("PGHOST", HOST, "PGPORT", Integer.toString(port)),
                port -> List.of("test", "--benchmark-disable", "--ignore=test/test_readme.py"));
    }

    private static DriverSuite goSqlDriver() {
        return new DriverSuite(
                "go-sql-driver",
                Server.Kind.MYSQL,
                new GoModule(
                        "github.com/go-sql-driver/mysql",
                        "v1.10.1",
                        "h1:arlSnNLq6a5yxGxV7qg9lF4j0C+KwD6NbQyKr9QL6ME=",
                        List.of(".")),
                List.of("CREATE DATABASE gotest"),
                port -> Map.of("MYSQL_TEST_ADDR", HOST + ":" + port, "MYSQL_TEST_USER", "bench"),
                // needs an address that swallows what is sent; compressed connections aren't recorded
                port -> List.of("-skip=^TestConnectorReturnsTimeout$|/compress"));
    }

    private static DriverSuite aiomysql() {
        return new DriverSuite(
                "aiomysql",
                Server.Kind.MYSQL,
                new PythonPackage(
                        "aiomysql",
                        "0.3.2",
                        "72d15ef5cfc34c03468eb41e1b90adb9fd9347b0b589114bd23ead569a02ac1a",
                        List.of(TESTS, "pyproject.toml", "setup.cfg"),
                        List.of(PYTEST, LIMITS, "PyMySQL==1.1.2", "SQLAlchemy==1.3.24", "uvloop==0.22.1"),
                        // over TCP it insists on TLS; the aggregator's has a page and tests of its own
                        List.of(
                                new Edit("tests/conftest.py", "        server_params[\"ssl\"] = ctx", "        pass"),
                                new Edit(
                                        "tests/conftest.py",
                                        "            if not unix_socket:\n                cursor",
                                        "            if False:\n                cursor"),
                                new Edit("tests/conftest.py", "'user': 'root'", "'user': 'bench'"))),
                List.of(),
                port -> Map.of("MYSQL_ROOT_PASSWORD", ""),
                port -> List.of(TESTS, "--mysql-address=tcp=" + HOST + ":" + port));
    }

    private DriverSuite redigo() {
        return new DriverSuite(
                "redigo",
                Server.Kind.REDIS,
                new GoModule(
                        "github.com/gomodule/redigo",
                        "v1.9.3",
                        "h1:dNPSXeXv6HCq2jdyWfjgmhBdqnR6PRO3m/G05nvpPC8=",
                        List.of("./redis")),
                List.of(),
                port -> Map.of(),
                port -> List.of("-redis-server=" + standIn, "-redis-port=" + port));
    }

    private static DriverSuite redisPy() {
        return new DriverSuite(
                "redis-py",
                Server.Kind.REDIS,
                new PythonPackage(
                        "redis",
                        "7.1.0",
                        "b1cc3cfa5a2cb9c2ab3ba700864fb0ad75617b41f01352ce5779dabf6d5f9c3c",
                        List.of(TESTS, "pyproject.toml"),
                        List.of(
                                PYTEST,
                                LIMITS,
                                LOOPS,
                                "mock==5.2.0",
                                "numpy==2.3.5",
                                "pybreaker==1.4.1",
                                "redis-entraid==1.0.0",
                                "uvloop==0.22.1",
                                "ujson==5.11.0"),
                        List.of()),
                List.of(),
                port -> Map.of(),
                port -> List.of(
                        TESTS,
                        "--redis-url=redis://" + HOST + ":" + port + "/0",
                        "-m",
                        "not redismod and not onlycluster and not ssl",
                        // these use no server, or more than one
                        "--ignore-glob=*cluster*",
                        "--ignore-glob=*sentinel*",
                        "--ignore-glob=*scenario*",
                        "--ignore-glob=*multidb*",
                        "--ignore-glob=*maint_notifications*",
                        "--ignore-glob=*test_auth*",
                        "--ignore-glob=*test_parsers*",
                        "--ignore-glob=*cwe_404*",
                        "--ignore-glob=*test_ssl*"));
    }
}
