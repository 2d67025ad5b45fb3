package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.plat.tests.process.DelegatingSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client library from Maven Central with an apiserver-lite that delegates its decisions. */
class Fabric8ClientTest {
    private static DelegatingSystem system;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
        try (KubernetesClient admin = client("admin")) {
            admin.namespaces()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("team-a")
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    @Test
    void writesAndReadsObjects() {
        try (KubernetesClient alice = client("alice")) {
            ConfigMap created = alice.configMaps()
                    .inNamespace("team-a")
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("greeting")
                            .endMetadata()
                            .addToData("hello", "world")
                            .build())
                    .create();
            assertThat(created.getMetadata().getUid()).isNotEmpty();
            ConfigMap read = alice.configMaps()
                    .inNamespace("team-a")
                    .withName("greeting")
                    .get();
            assertThat(read).isEqualTo(created);
            ConfigMap changed = alice.configMaps()
                    .inNamespace("team-a")
                    .resource(new ConfigMapBuilder(read)
                            .addToData("hello", "moon")
                            .build())
                    .update();
            assertThat(changed.getData()).containsEntry("hello", "moon");
            assertThat(Long.parseLong(changed.getMetadata().getResourceVersion()))
                    .isGreaterThan(Long.parseLong(read.getMetadata().getResourceVersion()));
            assertThatThrownBy(() -> alice.configMaps()
                            .inNamespace("team-a")
                            .resource(read)
                            .update())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(409));
            assertThat(alice.configMaps().inNamespace("team-a").list().getItems())
                    .contains(changed);
            assertThat(alice.configMaps()
                            .inNamespace("team-a")
                            .withName("greeting")
                            .delete())
                    .isNotEmpty();
            assertThat(alice.configMaps()
                            .inNamespace("team-a")
                            .withName("greeting")
                            .get())
                    .isNull();
        }
    }

    @Test
    void readsADenial() {
        try (KubernetesClient mallory = client("mallory")) {
            assertThatThrownBy(() -> mallory.pods().inNamespace("team-a").list())
                    .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                        assertThat(e.getCode()).isEqualTo(403);
                        assertThat(e.getStatus().getReason()).isEqualTo("Forbidden");
                        assertThat(e.getMessage()).contains("mallory", "pods", "team-a");
                    });
        }
    }

    @Test
    void reviewsItsAccess() {
        try (KubernetesClient alice = client("alice");
                KubernetesClient carol = client("carol")) {
            SelfSubjectAccessReview self = alice.authorization()
                    .v1()
                    .selfSubjectAccessReview()
                    .create(new SelfSubjectAccessReviewBuilder()
                            .withNewSpec()
                            .withNewResourceAttributes()
                            .withVerb("get")
                            .withResource("pods")
                            .withNamespace("team-a")
                            .endResourceAttributes()
                            .endSpec()
                            .build());
            assertThat(self.getStatus().getAllowed()).isTrue();
            SubjectAccessReview other = carol.authorization()
                    .v1()
                    .subjectAccessReview()
                    .create(new SubjectAccessReviewBuilder()
                            .withNewSpec()
                            .withUser("mallory")
                            .withNewResourceAttributes()
                            .withVerb("get")
                            .withResource("pods")
                            .withNamespace("team-a")
                            .endResourceAttributes()
                            .endSpec()
                            .build());
            assertThat(other.getStatus().getAllowed()).isFalse();
            assertThat(other.getStatus().getReason()).isNotEmpty();
        }
    }

    private static KubernetesClient client(String user) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(system.clientFile(user).toFile()))
                .build();
    }
}
