package io.plat.engine.union;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Combined rules of a user by several members. */
class UnionRulesTest {
    private static final UserInfo JANE = new UserInfo("jane", List.of("dev"));

    private static RuleListing rules(Member... members) {
        return new UnionAuthorizer(List.of(members)).rules(JANE, "a");
    }

    private static Member abac(String... lines) throws ProblemsException {
        List<String> text = new ArrayList<>();
        for (String spec : lines) {
            text.add("{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{" + spec
                    + "}}");
        }
        return new Member("ABAC", new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", String.join("\n", text)))));
    }

    @Test
    void rulesOfAllMembersAreMergedInOrder() throws ProblemsException {
        RuleListing listing = rules(
                new Member("AlwaysDeny", new AlwaysDeny()),
                abac(
                        "\"user\":\"jane\",\"resource\":\"pods\",\"namespace\":\"*\",\"readonly\":true",
                        "\"group\":\"dev\",\"resource\":\"pods\",\"namespace\":\"a\",\"readonly\":true",
                        "\"group\":\"dev\",\"resource\":\"pods/log\",\"namespace\":\"a\"",
                        "\"group\":\"dev\",\"resource\":\"pods\",\"namespace\":\"b\"",
                        "\"group\":\"dev\",\"resource\":\"pods\"",
                        "\"user\":\"joe\",\"resource\":\"*\",\"namespace\":\"*\"",
                        "\"group\":\"dev\",\"nonResourcePath\":\"/foo/*\""),
                new Member("AlwaysAllow", new AlwaysAllow()));
        assertThat(listing.resources().items())
                .containsExactly(
                        new ResourceRule(
                                List.of("get", "list", "watch"), List.of(""), List.of("pods", "pods/*"), List.of()),
                        ResourceRule.EVERYTHING);
        assertThat(listing.paths().items())
                .containsExactly(new PathRule(List.of("*"), List.of("/foo/*")), PathRule.EVERYTHING);
        assertThat(listing.incomplete()).isFalse();
        assertThat(listing.error()).isEmpty();
    }

    @Test
    void membersWithoutRulesMakeTheListingIncomplete() {
        Authorizer silent = request -> Decision.NoOpinion.SILENT;
        RuleListing listing = rules(
                new Member("corp", silent), new Member("broken", new Throwing()), new Member("ok", new AlwaysDeny()));
        assertThat(listing.unexplained())
                .containsExactly(
                        new UnexplainedAuthorizer("corp", "it cannot enumerate rules"),
                        new UnexplainedAuthorizer("broken", "threw IllegalStateException"));
        assertThat(listing.incomplete()).isTrue();
        assertThat(listing.error()).isEqualTo("corp: it cannot enumerate rules; broken: threw IllegalStateException");
    }

    @Test
    void mastersHaveAllRules() {
        ExemptingAuthorizer first = ExemptingAuthorizer.ofMasters(new AlwaysDeny());
        assertThat(first.rules(new UserInfo("root", List.of(UserInfo.MASTERS)), "a"))
                .isEqualTo(RuleListing.EVERYTHING);
        assertThat(first.rules(JANE, "a")).isEqualTo(RuleListing.NOTHING);
    }

    @Test
    void tooManyRulesMakeTheListingIncomplete() throws ProblemsException {
        String[] lines = new String[Explainer.MAX_RULES + 2];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = "\"user\":\"jane\",\"nonResourcePath\":\"/p" + i + "\"";
        }
        RuleListing listing = rules(abac(lines));
        assertThat(listing.paths().items()).hasSize(Explainer.MAX_RULES);
        assertThat(listing.incomplete()).isTrue();
        assertThat(listing.error()).isEqualTo("2 more rules are left out");
    }

    /** Has a bug. */
    private static final class Throwing implements Authorizer, Explainer {
        @Override
        public Decision authorize(Attributes attributes) {
            return Decision.NoOpinion.SILENT;
        }

        @Override
        public ExplainedDecision explain(Attributes attributes) {
            throw new IllegalStateException();
        }

        @Override
        public SubjectListing subjects(AccessAttributes access) {
            return new SubjectListing(BoundedList.none(), List.of());
        }

        @Override
        public RuleListing rules(UserInfo user, String namespace) {
            throw new IllegalStateException("secret");
        }
    }
}
