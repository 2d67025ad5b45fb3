package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EscalationGuardTest {
    private static final String ROLE =
            "{'metadata':{'name':'r'},'rules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]}";

    private final RoleStore all = new RoleStore();
    private final EscalationGuard guard = new EscalationGuard(all.roles.current(), "root");

    @AfterEach
    void close() throws StorageException {
        all.close();
    }

    private void create(EscalationGuard by, UserInfo user, String resource, String namespace, ObjectNode object)
            throws StatusException {
        all.operations.create(
                all.target(resource, namespace, ""),
                ParsedObject.of(object),
                WriteOptions.DEFAULT.checking(by.of(user)));
    }

    private static Status refused(ThrowingCallable write, int code) {
        Status[] status = new Status[1];
        assertThatThrownBy(write).isInstanceOfSatisfying(StatusException.class, e -> status[0] = e.status());
        assertThat(status[0].code()).as(status[0].message()).isEqualTo(code);
        return status[0];
    }

    @Test
    void mastersAndSuperUserMayGrantAnything() {
        for (UserInfo user :
                List.of(new UserInfo("root", List.of()), new UserInfo("anybody", List.of("system:masters")))) {
            String name = user.name();
            assertThatCode(() -> create(
                            guard, user, "clusterroles", "", RoleStore.json(ROLE.replace("'r'", "'" + name + "'"))))
                    .doesNotThrowAnyException();
        }
        refused(
                () -> create(guard, new UserInfo("alice", List.of("root")), "clusterroles", "", RoleStore.json(ROLE)),
                403);
    }

    @Test
    @SuppressWarnings("NullAway") // One of them is an invalid name.
    void withoutASuperUserNobodyIsOne() {
        for (String none : new String[] {null, ""}) {
            EscalationGuard without = new EscalationGuard(all.roles.current(), none);
            refused(() -> create(without, new UserInfo("", List.of()), "clusterroles", "", RoleStore.json(ROLE)), 403);
        }
    }

    @Test
    void unloadedPolicyGrantsNothing() {
        EscalationGuard early = new EscalationGuard(() -> null, null);
        refused(() -> create(early, new UserInfo("alice", List.of()), "clusterroles", "", RoleStore.json(ROLE)), 500);
    }

    /** The author of many small roles must not determine which roles an aggregated role omits. */
    @Test
    void aggregatedRolesOfOthersCannotBeDisplaced() throws Exception {
        all.create(
                "clusterroles",
                "",
                "{'metadata':{'name':'all'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'in':'all'}}]}}");
        String part = "{'metadata':{'name':'%s','labels':{'in':'all'}},'rules':[{'verbs':['get'],'apiGroups':[''],"
                + "'resources':['pods'],'resourceNames':['%s']}]}";
        all.create("clusterroles", "", part.formatted("default", "x".repeat(250_000)));
        all.create("clusterroles", "", ROLE.replace("'r'", "'reader'"));
        all.create(
                "clusterrolebindings",
                "",
                "{'metadata':{'name':'b'},'subjects':[{'kind':'User','name':'alice'}],"
                        + "'roleRef':{'kind':'ClusterRole','name':'reader','apiGroup':'rbac.authorization.k8s.io'}}");
        UserInfo alice = new UserInfo("alice", List.of());
        for (int i = 0; i < 5; i++) {
            create(guard, alice, "clusterroles", "", RoleStore.json(part.formatted("p" + i, "y".repeat(100_000) + i)));
        }
        assertThat(refused(
                                () -> create(
                                        guard,
                                        alice,
                                        "clusterroles",
                                        "",
                                        RoleStore.json(part.formatted("p6", "y".repeat(100_000) + 6))),
                                403)
                        .message())
                .isEqualTo("cluster role \"p6\" is forbidden: cluster role \"all\" would aggregate too many rules");
        create(guard, alice, "clusterroles", "", RoleStore.json(ROLE.replace("'r'", "'other'")));
    }

    @Test
    void unresolvableRoleRefIsRefused() {
        UserInfo alice = new UserInfo("alice", List.of());
        String binding = "{'metadata':{'name':'b'},'roleRef':{'kind':'%s','name':'r'%s}}";
        assertThat(refused(
                                () -> create(
                                        guard,
                                        alice,
                                        "rolebindings",
                                        "default",
                                        RoleStore.json(binding.formatted("User", ""))),
                                403)
                        .message())
                .contains("unsupported role reference kind: \"User\"");
        assertThat(refused(
                                () -> create(
                                        guard,
                                        alice,
                                        "rolebindings",
                                        "default",
                                        RoleStore.json(binding.formatted("Role", ""))),
                                404)
                        .message())
                .isEqualTo("roles.rbac.authorization.k8s.io \"r\" not found");
        refused(
                () -> create(
                        guard,
                        alice,
                        "rolebindings",
                        "default",
                        RoleStore.json(binding.formatted("Role", ",'apiGroup':'example.com'"))),
                404);
    }
}
