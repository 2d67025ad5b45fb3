package io.plat.engine.decided;

import io.plat.engine.Decision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Decisions for the log. */
final class Samples {
    static final Instant TIME = Instant.parse("2026-11-21T18:01:17.123456Z");
    static final UserInfo ALICE = new UserInfo(
            "alice",
            "u-42",
            List.of("developers", "staff"),
            Map.of("scopes", List.of("read", "write"), "example.com/token", List.of("s3cret")));
    static final AccessAttributes PODS = new ResourceAttributes(
            "team-a",
            "list",
            "",
            "v1",
            "pods",
            "",
            "web-0",
            new SelectorAttributes("spec.nodeName=n1", List.of()),
            new SelectorAttributes(
                    "", List.of(new SelectorAttributes.Requirement("app", "In", List.of("payroll", "web")))));

    private Samples() {}

    static DecisionRecord decided(String id) {
        return decided(id, new Attributes(ALICE, PODS), new Decision.NoOpinion("no policy matched"));
    }

    static DecisionRecord decided(String id, Attributes request, Decision decision) {
        return new DecisionRecord(id, TIME, "my-api-server", request, decision, "r1", 41_999, 300, ShadowSlot.NONE);
    }
}
