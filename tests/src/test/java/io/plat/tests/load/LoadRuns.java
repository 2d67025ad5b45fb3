package io.plat.tests.load;

import org.junit.jupiter.api.Test;

/** Starts the load runs from Maven. Not part of the tests, as its name does not end as theirs do. */
final class LoadRuns {
    @Test
    void decider() throws Exception {
        DeciderLoad.main();
    }

    @Test
    void apiServer() throws Exception {
        ApiServerLoad.main("2");
    }

    @Test
    void authorization() throws Exception {
        AuthorizationLoad.main("2");
    }
}
