package io.plat.engine.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.condition.RequestMatcher.Match;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Findings;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionalAuthorizerTest {
    private static final UserInfo JANE = new UserInfo("jane", List.of());
    private static final Attributes REQUEST = new Attributes(JANE, new NonResourceAttributes("/version", "get"));

    private static ConditionalAuthorizer when(Match match) {
        return new ConditionalAuthorizer("corp", attributes -> match, new AlwaysAllow());
    }

    @Test
    void includedRequestsAreDecided() {
        assertThat(when(new Match.Included()).authorize(REQUEST)).isInstanceOf(Decision.Allow.class);
        assertThat(when(new Match.Included())
                        .explain(REQUEST)
                        .findings()
                        .grants()
                        .items())
                .hasSize(1);
    }

    @Test
    void excludedRequestsHaveNoOpinion() {
        assertThat(when(new Match.Excluded()).authorize(REQUEST)).isEqualTo(Decision.NoOpinion.SILENT);
        assertThat(when(new Match.Excluded()).explain(REQUEST).findings()).isEqualTo(Findings.NOTHING);
    }

    @Test
    void aFailedMatcherIsUndecided() {
        ConditionalAuthorizer failing = when(new Match.Failed("no such key"));
        Decision.Undecided undecided = new Decision.Undecided(Decision.Cause.FAILED, "no such key");
        assertThat(failing.authorize(REQUEST)).isEqualTo(undecided);
        assertThat(failing.explain(REQUEST).decision()).isEqualTo(undecided);
        assertThat(failing.explain(REQUEST).findings().unexplained())
                .containsExactly(new UnexplainedAuthorizer("corp", "no such key"));
    }

    @Test
    void listingsMentionTheConditions() {
        ConditionalAuthorizer conditional = when(new Match.Excluded());
        assertThat(conditional.rules(JANE, "a")).isEqualTo(RuleListing.EVERYTHING);
        assertThat(conditional.subjects(REQUEST.access()).unexplained())
                .containsExactly(new UnexplainedAuthorizer(
                        "corp", "it applies only to requests that meet its match conditions"));
    }

    @Test
    void decisionsFromMemoryApplyTheConditions() {
        for (Match match : List.of(new Match.Included(), new Match.Excluded(), new Match.Failed("no such key"))) {
            assertThat(when(match).decideFromMemory(REQUEST))
                    .isEqualTo(when(match).authorize(REQUEST));
        }
    }

    @Test
    void conditionsAreEvaluatedOncePerRequest() {
        ConditionalAuthorizer remote = new ConditionalAuthorizer(
                "corp",
                attributes -> {
                    throw new AssertionError("evaluated before the request");
                },
                attributes -> Decision.NoOpinion.SILENT);
        assertThat(remote.decideFromMemory(REQUEST)).isNull();
    }
}
