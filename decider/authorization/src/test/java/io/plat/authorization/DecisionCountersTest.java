package io.plat.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.FixedGrant;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.UserInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DecisionCountersTest {
    private final ServerMetrics metrics = new ServerMetrics();

    @AfterEach
    void close() {
        metrics.close();
    }

    private static Decision allow(String authorizer) {
        return FixedGrant.allow(authorizer, "a flag", "allowed");
    }

    private static String counter(String decision, String name, String type) {
        return "apiserver_authorization_decisions_total{decision=\"" + decision + "\",name=\"" + name + "\",type=\""
                + type + "\"} ";
    }

    @Test
    void decisionsAreCountedWithKubernetesNames() {
        DecisionCounters counters = new DecisionCounters(metrics.registry(), "Union", false);
        counters.count(allow("RBAC"));
        counters.count(allow("RBAC"));
        counters.count(allow("Webhook"));
        counters.count(new Undecided(Undecided.Cause.NOT_LOADED, "no policy"));
        counters.count(new Undecided(Undecided.Cause.FAILED, "unreachable"));
        assertThat(metrics.text())
                .contains(counter("allowed", "rbac", "RBAC") + "2.0")
                .contains(counter("allowed", "default", "Webhook") + "1.0")
                .contains(counter("not_loaded", "union", "Union") + "1.0")
                .contains(counter("failed", "union", "Union") + "1.0")
                .contains(counter("denied", "union", "Union") + "0.0");
        counters.count(new Decision.Deny("refused"));
        counters.count(new Decision.NoOpinion("no rule"));
        assertThat(metrics.text()).contains(counter("denied", "union", "Union") + "2.0");
    }

    @Test
    void decisionsThatAreCountedByNameAreNotCountedTwice() {
        DecisionCounters counters = new DecisionCounters(metrics.registry(), "Union", true);
        counters.count(new ConfiguredAuthorizer.BuiltIn("policy", "RBAC"), allow("RBAC"));
        counters.count(allow("RBAC"));
        counters.count(new Decision.Deny("refused"));
        counters.count(allow(UserInfo.MASTERS));
        assertThat(metrics.text())
                .contains(counter("allowed", "policy", "RBAC") + "1.0")
                .contains(counter("denied", "union", "Union") + "0.0")
                .contains(counter("allowed", "system:masters", "system:masters") + "1.0")
                .doesNotContain(counter("allowed", "rbac", "RBAC"));
    }
}
