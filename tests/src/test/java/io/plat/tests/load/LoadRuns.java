package io.plat.tests.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.simulation.ScaleTable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Starts the load runs from Maven. Not part of the tests, because of its name. */
final class LoadRuns {
    @BeforeAll
    static void asUsersStartThem() {
        assertThat(System.getenv().getOrDefault("JAVA_OPTS", ""))
                .as("JAVA_OPTS; what is measured runs as users start it, as with -Pfull")
                .isEmpty();
    }

    @Test
    void decider() throws Exception {
        DeciderLoad.main();
    }

    @Test
    void authZen() throws Exception {
        AuthZenLoad.main();
    }

    @Test
    void check() throws Exception {
        CheckLoad.main();
    }

    @Test
    void apiServer() throws Exception {
        ApiServerLoad.main("2");
    }

    @Test
    void envoy() throws Exception {
        EnvoyLoad.main();
    }

    @Test
    void commandLine() throws Exception {
        CommandLineLoad.main();
    }

    @Test
    void client() throws Exception {
        ClientLoad.main(new String[0]);
    }

    @Test
    void authorization() throws Exception {
        AuthorizationLoad.main("2");
    }

    @Test
    void audit() throws Exception {
        AuthorizationLoad.main("2", "audit");
    }

    @Test
    void simulation() throws Exception {
        SimulationLoad.main();
    }

    @Test
    void etcd() throws Exception {
        EtcdLoad.main();
    }

    @Test
    void backends() throws Exception {
        BackendLoad.main();
    }

    @Test
    void scale() {
        ScaleTable.main("2");
    }

    @Test
    void writes() throws Exception {
        WriteLoad.main("1");
    }
}
