package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares a listing of subjects with the decisions for all subjects of the universe: it is sound and complete. */
final class ListingChecks {
    private static final List<UserInfo> EVERYBODY = Universe.everybody();

    private ListingChecks() {}

    static void check(Authorizer authorizer, Explainer explainer, AccessAttributes access) {
        SubjectListing listing = explainer.subjects(access);
        assertThat(listing.unexplained()).isEmpty();
        assertThat(listing.subjects().leftOut()).isZero();
        for (UserInfo user : EVERYBODY) {
            boolean listed = listing.subjects().items().stream().anyMatch(subject -> is(subject.subject(), user));
            assertThat(listed)
                    .as(() -> user + " among " + listing + " for " + access)
                    .isEqualTo(authorizer.authorize(new Attributes(user, access)) instanceof Decision.Allow);
        }
    }

    /** Compares the subjects with any of some accesses with those listed for one of them. */
    static void checkHolders(Explainer explainer, Collection<? extends AccessAttributes> any) {
        Set<SubjectName> listed = new TreeSet<>();
        for (AccessAttributes access : any) {
            explainer.subjects(access).subjects().items().forEach(subject -> listed.add(subject.subject()));
        }
        assertThat(explainer.holders(any)).as(any::toString).isEqualTo(listed);
    }

    private static boolean is(SubjectName who, UserInfo user) {
        return switch (who.kind()) {
            case EVERYBODY -> true;
            case GROUP -> user.groups().contains(who.name());
            case USER -> user.name().equals(who.name()) && inGroup(who, user);
            case SERVICE_ACCOUNT ->
                user.name().equals("system:serviceaccount:" + who.namespace() + ":" + who.name()) && inGroup(who, user);
        };
    }

    private static boolean inGroup(SubjectName who, UserInfo user) {
        return who.inGroup().isEmpty() || user.groups().contains(who.inGroup());
    }
}
