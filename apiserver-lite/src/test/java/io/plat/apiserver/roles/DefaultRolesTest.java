package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.roles.DefaultRoles.DefaultRoleObject;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DefaultRolesTest {
    private final RoleStore all = new RoleStore();

    @AfterEach
    void close() throws StorageException {
        all.close();
    }

    private int reconcile() {
        return DefaultRoles.reconcile(all.operations, all.catalog);
    }

    @Test
    void firstStartCreatesAllAndSecondWritesNothing() throws StatusException, StorageException {
        List<DefaultRoleObject> defaults = DefaultRoleObject.all();
        assertThat(defaults).hasSize(133);
        assertThat(reconcile()).isEqualTo(133);
        for (DefaultRoleObject each : defaults) {
            JsonNode created = all.get(each.kind().resource(), each.namespace(), each.name());
            assertThat(created.path("roleRef")).isEqualTo(each.object().path("roleRef"));
            assertThat(created.at("/metadata/labels")).isEqualTo(each.object().at("/metadata/labels"));
            assertThat(created.path("rules").size())
                    .isEqualTo(each.object().path("rules").size());
        }
        long revision = all.store.latest().revision();
        assertThat(reconcile()).isZero();
        assertThat(all.store.latest().revision()).isEqualTo(revision);
    }

    @Test
    void missingPartsAreRestored() throws StatusException {
        reconcile();
        all.patch("clusterroles", "system:discovery", "{'rules':[{'verbs':['put'],'nonResourceURLs':['/mine']}]}");
        all.patch(
                "clusterroles", "view", "{'metadata':{'labels':{'rbac.authorization.k8s.io/aggregate-to-edit':null}}}");
        all.patch("clusterrolebindings", "cluster-admin", "{'subjects':[{'kind':'User','name':'me'}]}");
        all.patch(
                "clusterroles",
                "system:basic-user",
                "{'metadata':{'annotations':{'rbac.authorization.kubernetes.io/autoupdate':'false'}},'rules':[]}");
        all.delete("clusterroles", "system:public-info-viewer");
        all.delete("clusterrolebindings", "system:discovery");
        all.create(
                "clusterrolebindings",
                "",
                "{'metadata':{'name':'system:discovery'},'roleRef':{'kind':'ClusterRole','name':'view'},"
                        + "'subjects':[{'kind':'User','name':'me'}]}");
        assertThat(reconcile()).isEqualTo(5);
        assertThat(all.get("clusterroles", "", "system:discovery").path("rules").toString())
                .contains("/mine", "/openapi/*");
        assertThat(all.get("clusterroles", "", "view").at("/metadata/labels").toString())
                .contains("aggregate-to-edit");
        assertThat(all.get("clusterrolebindings", "", "cluster-admin")
                        .path("subjects")
                        .toString())
                .contains("\"me\"", "system:masters");
        assertThat(all.get("clusterroles", "", "system:basic-user")
                        .path("rules")
                        .size())
                .as("objects without autoupdate")
                .isZero();
        assertThat(all.get("clusterrolebindings", "", "system:discovery")
                        .at("/roleRef/name")
                        .asText())
                .isEqualTo("system:discovery");
        assertThat(reconcile()).isZero();
    }
}
