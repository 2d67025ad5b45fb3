package io.plat.engine.rbac.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Decision;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.served.ReceivedObject;
import io.plat.engine.rbac.served.ServedEvent;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.process.Freshness;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FollowedObjectsTest {
    private static final Limits LIMITS = new Limits(500, 100_000, 2_000, 1_000, 10_000);
    private static final RbacRole READER = RbacRole.role("a", "reader", rules("pods"));
    private static final RbacBinding JANE = binding("reader");

    private final CurrentRbac current = new CurrentRbac();
    private final List<Boolean> allowedOnNotification = new ArrayList<>();
    private final Progress progress = new Progress(() -> 0, new Freshness("roles", Freshness.BOUND));
    private final FollowedObjects objects = new FollowedObjects(
            current,
            () -> allowedOnNotification.add(allows("pods")),
            progress,
            new SourceLog("https://server", () -> 0, SourceLog.Lines.LOGGED));

    @Test
    void nothingIsDecidedBeforeAllTypesAreListed() throws SourceException {
        objects.replace(RbacKind.ROLE_BINDING, listed(JANE), LIMITS);
        objects.replace(RbacKind.ROLE, listed(READER), LIMITS);
        objects.change(RbacKind.ROLE, List.of(put(READER)), LIMITS);
        objects.replace(RbacKind.CLUSTER_ROLE, listed(), LIMITS);
        assertThat(current.get()).isNull();
        assertThat(objects.missing()).containsExactly(RbacKind.CLUSTER_ROLE_BINDING);
        assertThat(allowedOnNotification).isEmpty();
        objects.replace(RbacKind.CLUSTER_ROLE_BINDING, listed(), LIMITS);
        assertThat(objects.missing()).isEmpty();
        assertThat(progress.isLoaded()).isTrue();
        assertThat(allowedOnNotification).containsExactly(true);
    }

    @Test
    void changesAreInEffectOnceReported() throws SourceException {
        load();
        objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE)), LIMITS);
        objects.change(RbacKind.ROLE, List.of(put(RbacRole.role("a", "reader", rules("secrets")))), LIMITS);
        objects.change(RbacKind.ROLE, List.of(put(READER)), LIMITS);
        objects.change(RbacKind.ROLE_BINDING, List.of(removal(JANE)), LIMITS);
        assertThat(allowedOnNotification).containsExactly(false, true, false, true, false);
    }

    @Test
    void unchangedObjectsAreNotReported() throws SourceException {
        load();
        objects.change(RbacKind.ROLE, List.of(put(READER), new ServedEvent.Bookmark("7")), LIMITS);
        objects.change(RbacKind.ROLE_BINDING, List.of(removal(JANE)), LIMITS);
        objects.replace(RbacKind.ROLE, listed(READER), LIMITS);
        assertThat(allowedOnNotification).hasSize(1);
        assertThat(progress.changes()).isEqualTo(1);
    }

    @Test
    void batchedEventsAreOneChange() throws SourceException {
        load();
        objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE), removal(JANE), put(JANE)), LIMITS);
        assertThat(allowedOnNotification).containsExactly(false, true);
        objects.change(RbacKind.ROLE_BINDING, List.of(put(binding("other")), put(JANE)), LIMITS);
        assertThat(allows("pods")).isTrue();
    }

    @Test
    void anObjectThatBecameInvalidGrantsNothing() throws SourceException {
        load();
        objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE)), LIMITS);
        objects.change(RbacKind.ROLE, List.of(unusable(READER.key())), LIMITS);
        assertThat(allows("pods")).isFalse();
        assertThat(progress.unusable(RbacKind.ROLE)).isEqualTo(1);
        objects.change(RbacKind.ROLE, List.of(put(READER)), LIMITS);
        assertThat(allows("pods")).isTrue();
        objects.replace(
                RbacKind.ROLE,
                new ServedPage(
                        "9",
                        "",
                        List.of(new ReceivedObject(READER.key(), "1", null, "rules")),
                        List.of("it has no name", "it has no name")),
                LIMITS);
        assertThat(allows("pods")).isFalse();
        assertThat(progress.unusable(RbacKind.ROLE)).isEqualTo(3);
        objects.change(RbacKind.ROLE, List.of(removal(READER)), LIMITS);
        assertThat(progress.unusable(RbacKind.ROLE)).isEqualTo(2);
        objects.replace(RbacKind.ROLE, listed(), LIMITS);
        assertThat(progress.unusable(RbacKind.ROLE)).isZero();
    }

    @Test
    void aListReplacesAllObjects() throws SourceException {
        load();
        RbacBinding joe = RbacBinding.roleBinding("a", "joe", RoleRef.role("reader"), List.of(RbacSubject.user("joe")));
        objects.replace(RbacKind.ROLE_BINDING, listed(JANE, joe), LIMITS);
        objects.replace(RbacKind.ROLE_BINDING, listed(joe), LIMITS);
        assertThat(allowedOnNotification).containsExactly(false, true, false);
        assertThat(current.get()).isNotNull();
    }

    @Test
    void exceedingALimitChangesNothing() throws SourceException {
        load();
        Limits few = new Limits(500, 100_000, 2_000, 2, 10_000);
        assertThatThrownBy(() -> objects.change(RbacKind.ROLE, List.of(put(READER), put(READER)), few))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("more than 2 objects of a type");
        assertThat(allowedOnNotification).hasSize(1);
    }

    /** A server with many times the objects of the largest policy file would exhaust the heap. */
    @Test
    void theMemoryOfAllTypesIsLimited() throws SourceException {
        load();
        RbacBinding large = RbacBinding.roleBinding(
                "a", "large", RoleRef.role("reader"), Collections.nCopies(40, RbacSubject.user("joe")));
        assertThatThrownBy(() -> objects.replace(RbacKind.ROLE_BINDING, listed(large), LIMITS))
                .hasMessageContaining("of memory");
        assertThatThrownBy(() -> objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE), put(large)), LIMITS))
                .hasMessageContaining("of memory");
        assertThat(allowedOnNotification).hasSize(1);
        Limits more = new Limits(500, 100_000, 2_000, 1_000, large.bytes() + 2 * READER.bytes());
        objects.change(RbacKind.ROLE_BINDING, List.of(put(large)), more);
        assertThatThrownBy(() -> objects.replace(RbacKind.CLUSTER_ROLE_BINDING, listed(large), more))
                .hasMessageContaining("of memory");
        objects.change(RbacKind.ROLE_BINDING, List.of(unusable(large.key())), more);
        objects.change(RbacKind.ROLE_BINDING, List.of(put(large)), more);
        objects.change(RbacKind.ROLE_BINDING, List.of(removal(large)), more);
        objects.change(RbacKind.ROLE_BINDING, List.of(put(large)), more);
    }

    private void load() throws SourceException {
        for (RbacKind kind : RbacKind.values()) {
            objects.replace(kind, kind == RbacKind.ROLE ? listed(READER) : listed(), LIMITS);
        }
    }

    private boolean allows(String resource) {
        Attributes request = new Attributes(
                new UserInfo("jane", List.of()), new ResourceAttributes("a", "get", "", "v1", resource, "", ""));
        return new RbacAuthorizer(current, "").authorize(request) instanceof Decision.Allow;
    }

    private static List<RbacRule> rules(String resource) {
        return List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of(resource)));
    }

    private static RbacBinding binding(String role) {
        return RbacBinding.roleBinding("a", "jane", RoleRef.role(role), List.of(RbacSubject.user("jane")));
    }

    private static ServedPage listed(RbacObject... objects) {
        return new ServedPage(
                "1", "", Stream.of(objects).map(FollowedObjectsTest::served).toList(), List.of());
    }

    private static ReceivedObject served(RbacObject object) {
        return new ReceivedObject(object.key(), "1", object, "");
    }

    private static ServedEvent put(RbacObject object) {
        return new ServedEvent.Put(served(object));
    }

    private static ServedEvent removal(RbacObject object) {
        return new ServedEvent.Removal(served(object));
    }

    private static ServedEvent unusable(ObjectKey key) {
        return new ServedEvent.Put(new ReceivedObject(key, "1", null, "rules[0].verbs"));
    }
}
