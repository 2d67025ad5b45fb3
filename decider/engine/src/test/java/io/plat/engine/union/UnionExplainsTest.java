package io.plat.engine.union;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Combined explanations of several members. */
class UnionExplainsTest {
    private static final Attributes REQUEST =
            new Attributes(new UserInfo("jane", List.of()), new NonResourceAttributes("/version", "get"));

    private static ExplainedDecision explain(Member... members) {
        return new UnionAuthorizer(List.of(members)).explain(REQUEST);
    }

    private static Member member(String name, Authorizer authorizer) {
        return new Member(name, authorizer);
    }

    @Test
    void everyMemberExplainsAndTheFirstAllowDecides() {
        ExplainedDecision explained = explain(
                member("AlwaysDeny", new AlwaysDeny()),
                member("Plug", request -> FixedGrant.allow("Plug", "plug.jar", "allowed by plug")),
                member("AlwaysAllow", new AlwaysAllow()));
        assertThat(explained.decision().reason()).isEqualTo("allowed by plug");
        assertThat(explained.findings().grants().items())
                .extracting(NamedGrant::authorizer)
                .containsExactly("Plug", "AlwaysAllow");
        assertThat(explained.findings().unexplained())
                .containsExactly(new UnexplainedAuthorizer("Plug", "it does not explain its decisions"));
    }

    @Test
    void aMemberThatThrowsHasFailedAndIsNamed() {
        Member broken = member("Broken", request -> {
            throw new IllegalStateException("secret");
        });
        ExplainedDecision alone = explain(broken);
        assertThat(alone.decision()).isInstanceOf(Decision.Undecided.class);
        assertThat(alone.findings().unexplained())
                .containsExactly(new UnexplainedAuthorizer("Broken", "threw IllegalStateException"));
        assertThat(explain(broken, member("AlwaysAllow", new AlwaysAllow())).decision())
                .isInstanceOf(Decision.Allow.class);
    }

    @Test
    void missingSuggestionHasItsCause() {
        Suggestion suggestion =
                explain(member("AlwaysDeny", new AlwaysDeny())).findings().suggestion();
        assertThat(suggestion)
                .isEqualTo(new Suggestion("", "", "no mode in use has a policy that a grant could be added to"));
    }

    @Test
    void mastersPrecedeTheModes() {
        ExemptingAuthorizer authorizer =
                ExemptingAuthorizer.ofMasters(new UnionAuthorizer(List.of(member("AlwaysDeny", new AlwaysDeny()))));
        Attributes master = new Attributes(new UserInfo("root", List.of("system:masters")), REQUEST.access());
        assertThat(authorizer.explain(master).decision()).isEqualTo(authorizer.authorize(master));
        assertThat(authorizer.explain(REQUEST).decision()).isEqualTo(authorizer.authorize(REQUEST));
        assertThat(authorizer.subjects(REQUEST.access()).subjects().items())
                .extracting(subject -> subject.subject().name())
                .containsExactly("system:masters");
    }

    @Test
    void subjectsOfAllMembersAreMerged() {
        UnionAuthorizer union = new UnionAuthorizer(List.of(
                member("AlwaysAllow", new AlwaysAllow()), member("Plug", request -> Decision.NoOpinion.SILENT)));
        SubjectListing listing = union.subjects(REQUEST.access());
        assertThat(listing.subjects().items())
                .singleElement()
                .satisfies(one -> assertThat(one.subject()).isEqualTo(SubjectName.EVERYBODY));
        assertThat(listing.unexplained())
                .extracting(UnexplainedAuthorizer::authorizer)
                .containsExactly("Plug");
    }
}
