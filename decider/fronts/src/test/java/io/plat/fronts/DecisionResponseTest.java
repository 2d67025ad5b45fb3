package io.plat.fronts;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.Grant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionResponseTest {
    private static final Grant GRANT = new Grant() {
        @Override
        public String authorizer() {
            return "RBAC";
        }

        @Override
        public String source() {
            return "file:1";
        }

        @Override
        public String rule() {
            return "rule";
        }

        @Override
        public String reason() {
            return "because";
        }
    };

    /** A decision, its status code and whether it is allowed; with and without reasons. */
    record Row(Decision decision, int code, boolean allowed, String reason) {}

    static Stream<Row> rows() {
        return Stream.of(
                new Row(new Decision.Allow(GRANT), 200, true, "because"),
                new Row(new Decision.Deny("no"), 200, false, "no"),
                new Row(new Decision.NoOpinion("nothing matches"), 200, false, "nothing matches"),
                new Row(Decision.NoOpinion.SILENT, 200, false, ""),
                new Row(new Decision.Undecided(Decision.Cause.FAILED, "remote is slow"), 500, false, "remote is slow"),
                new Row(
                        new Decision.Undecided(Decision.Cause.NOT_LOADED, "still reading"),
                        503,
                        false,
                        "still reading"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void onlyAnAllowIsAnAllow(Row row) {
        for (boolean reasons : new boolean[] {true, false}) {
            switch (DecisionResponse.of(row.decision(), reasons)) {
                case DecisionResponse.Answered answered -> {
                    assertThat(row.code()).isEqualTo(200);
                    assertThat(answered.status().allowed()).isEqualTo(row.allowed());
                    assertThat(answered.status().denied()).isFalse();
                    assertThat(answered.status().reason()).isEqualTo(reasons ? row.reason() : "");
                }
                case DecisionResponse.Failed failed -> {
                    assertThat(failed.status().code()).isEqualTo(row.code());
                    assertThat(failed.status().message().contains(row.reason())).isEqualTo(reasons);
                }
            }
        }
    }
}
