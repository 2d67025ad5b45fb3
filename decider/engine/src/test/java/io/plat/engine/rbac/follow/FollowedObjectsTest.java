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
import io.plat.engine.rbac.served.ServedEvent;
import io.plat.engine.rbac.served.ServedObject;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.process.Freshness;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FollowedObjectsTest {
    private static final int MANY = 1_000;
    private static final RbacRole READER = RbacRole.role("a", "reader", rules("pods"));
    private static final RbacBinding JANE = binding("reader");

    private final CurrentRbac current = new CurrentRbac();
    private final List<Boolean> allowedWhenTold = new ArrayList<>();
    private final Progress progress = new Progress(() -> 0, new Freshness("roles", Freshness.BOUND));
    private final FollowedObjects objects = new FollowedObjects(
            current,
            () -> allowedWhenTold.add(allows("pods")),
            progress,
            new SourceLog("https://server", () -> 0, SourceLog.Lines.LOGGED));

    @Test
    void nothingIsDecidedBeforeAllTypesAreThere() throws SourceException {
        objects.replace(RbacKind.ROLE_BINDING, listed(JANE));
        objects.replace(RbacKind.ROLE, listed(READER));
        objects.change(RbacKind.ROLE, List.of(put(READER)), MANY);
        objects.replace(RbacKind.CLUSTER_ROLE, listed());
        assertThat(current.get()).isNull();
        assertThat(objects.missing()).containsExactly(RbacKind.CLUSTER_ROLE_BINDING);
        assertThat(allowedWhenTold).isEmpty();
        objects.replace(RbacKind.CLUSTER_ROLE_BINDING, listed());
        assertThat(objects.missing()).isEmpty();
        assertThat(progress.isLoaded()).isTrue();
        assertThat(allowedWhenTold).containsExactly(true);
    }

    @Test
    void eachChangeDecidesOnceItIsTold() throws SourceException {
        load();
        objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE)), MANY);
        objects.change(RbacKind.ROLE, List.of(put(RbacRole.role("a", "reader", rules("secrets")))), MANY);
        objects.change(RbacKind.ROLE, List.of(put(READER)), MANY);
        objects.change(RbacKind.ROLE_BINDING, List.of(removal(JANE)), MANY);
        assertThat(allowedWhenTold).containsExactly(false, true, false, true, false);
    }

    @Test
    void whatChangesNothingIsNotTold() throws SourceException {
        load();
        objects.change(RbacKind.ROLE, List.of(put(READER), new ServedEvent.Bookmark("7")), MANY);
        objects.change(RbacKind.ROLE_BINDING, List.of(removal(JANE)), MANY);
        objects.replace(RbacKind.ROLE, listed(READER));
        assertThat(allowedWhenTold).hasSize(1);
        assertThat(progress.changes()).isEqualTo(1);
    }

    @Test
    void eventsThatComeTogetherAreOneChangeInTheirOrder() throws SourceException {
        load();
        objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE), removal(JANE), put(JANE)), MANY);
        assertThat(allowedWhenTold).containsExactly(false, true);
        objects.change(RbacKind.ROLE_BINDING, List.of(put(binding("other")), put(JANE)), MANY);
        assertThat(allows("pods")).isTrue();
    }

    @Test
    void anObjectThatBecameUnusableGrantsNothing() throws SourceException {
        load();
        objects.change(RbacKind.ROLE_BINDING, List.of(put(JANE)), MANY);
        objects.change(RbacKind.ROLE, List.of(unusable(READER.key())), MANY);
        assertThat(allows("pods")).isFalse();
        assertThat(progress.unusable(RbacKind.ROLE)).isEqualTo(1);
        objects.change(RbacKind.ROLE, List.of(put(READER)), MANY);
        assertThat(allows("pods")).isTrue();
        objects.replace(
                RbacKind.ROLE,
                new ServedPage(
                        "9",
                        "",
                        List.of(new ServedObject(READER.key(), "1", null, "rules")),
                        List.of("it has no name", "it has no name")));
        assertThat(allows("pods")).isFalse();
        assertThat(progress.unusable(RbacKind.ROLE)).isEqualTo(3);
        objects.change(RbacKind.ROLE, List.of(removal(READER)), MANY);
        assertThat(progress.unusable(RbacKind.ROLE)).isEqualTo(2);
        objects.replace(RbacKind.ROLE, listed());
        assertThat(progress.unusable(RbacKind.ROLE)).isZero();
    }

    @Test
    void aListIsSwappedInWhole() {
        load();
        RbacBinding joe = RbacBinding.roleBinding("a", "joe", RoleRef.role("reader"), List.of(RbacSubject.user("joe")));
        objects.replace(RbacKind.ROLE_BINDING, listed(JANE, joe));
        objects.replace(RbacKind.ROLE_BINDING, listed(joe));
        assertThat(allowedWhenTold).containsExactly(false, true, false);
        assertThat(current.get()).isNotNull();
    }

    @Test
    void moreThanMayBeChangesNothing() {
        load();
        assertThatThrownBy(() -> objects.change(RbacKind.ROLE, List.of(put(READER), put(READER)), 2))
                .isInstanceOf(SourceException.class)
                .hasMessage("there are more than 2 objects");
        assertThat(allowedWhenTold).hasSize(1);
    }

    private void load() {
        for (RbacKind kind : RbacKind.values()) {
            objects.replace(kind, kind == RbacKind.ROLE ? listed(READER) : listed());
        }
    }

    private boolean allows(String resource) {
        Attributes question = new Attributes(
                new UserInfo("jane", List.of()), new ResourceAttributes("a", "get", "", "v1", resource, "", ""));
        return new RbacAuthorizer(current, "").authorize(question) instanceof Decision.Allow;
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

    private static ServedObject served(RbacObject object) {
        return new ServedObject(object.key(), "1", object, "");
    }

    private static ServedEvent put(RbacObject object) {
        return new ServedEvent.Put(served(object));
    }

    private static ServedEvent removal(RbacObject object) {
        return new ServedEvent.Removal(served(object));
    }

    private static ServedEvent unusable(ObjectKey key) {
        return new ServedEvent.Put(new ServedObject(key, "1", null, "rules[0].verbs"));
    }
}
