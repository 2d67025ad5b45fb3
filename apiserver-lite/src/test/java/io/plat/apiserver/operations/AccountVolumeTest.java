package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.objects.AdmissionPlugins;
import io.plat.apiserver.tree.Json;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** New pods mount the token of their service account as in kube-apiserver. */
class AccountVolumeTest {
    private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

    private final ObjectIdentity identities = new ObjectIdentity(InstantSource.system(), new Random(1));

    private JsonNode spec(String pod, String account) {
        ObjectNode created = Api.tree(pod.replace('\'', '"'));
        AdmissionPlugins.mountAccount(
                created, Json.child(created, "spec"), Api.tree(account.replace('\'', '"')), identities);
        return created.path("spec");
    }

    @Test
    void everyContainerMountsTheSameVolume() {
        JsonNode spec =
                spec("{'spec':{'containers':[{'name':'a'},{'name':'b'}],'initContainers':[{'name':'i'}]}}", "{}");
        String name = spec.at("/volumes/0/name").asText();
        assertThat(name).startsWith("kube-api-access-");
        assertThat(spec.at("/volumes/0/projected/sources")).hasSize(3);
        for (String container : new String[] {"/containers/0", "/containers/1", "/initContainers/0"}) {
            assertThat(spec.at(container + "/volumeMounts/0/name").asText()).isEqualTo(name);
            assertThat(spec.at(container + "/volumeMounts/0/mountPath").asText())
                    .isEqualTo(PATH);
        }
    }

    @Test
    void podAndThenTheAccountMayOptOut() {
        String out = "{'automountServiceAccountToken':false}";
        assertThat(spec("{'spec':{'containers':[{'name':'a'}]}}", out).has("volumes"))
                .isFalse();
        assertThat(spec("{'spec':{'automountServiceAccountToken':true,'containers':[{'name':'a'}]}}", out)
                        .path("volumes"))
                .hasSize(1);
        assertThat(spec("{'spec':{'automountServiceAccountToken':false,'containers':[{'name':'a'}]}}", "{}")
                        .has("volumes"))
                .isFalse();
        assertThat(spec(
                                "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}},'spec':{'containers':[{}]}}",
                                "{}")
                        .has("volumes"))
                .isFalse();
    }

    @Test
    void existingMountIsKept() {
        JsonNode spec =
                spec("{'spec':{'containers':[{'volumeMounts':[{'name':'v','mountPath':'" + PATH + "'}]}]}}", "{}");
        assertThat(spec.has("volumes")).isFalse();
        assertThat(spec.at("/containers/0/volumeMounts")).hasSize(1);
    }

    @Test
    void podInheritsPullSecretsOfTheServiceAccount() {
        String account = "{'imagePullSecrets':[{'name':'registry'}]}";
        assertThat(spec("{'spec':{'containers':[{}]}}", account)
                        .at("/imagePullSecrets/0/name")
                        .asText())
                .isEqualTo("registry");
        assertThat(spec("{'spec':{'imagePullSecrets':[{'name':'own'}],'containers':[{}]}}", account)
                        .at("/imagePullSecrets/0/name")
                        .asText())
                .isEqualTo("own");
    }
}
