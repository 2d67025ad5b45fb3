package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types that kube-apiserver enforces and this server only stores: writes return a warning, writes of other types do not. */
class UnenforcedTypesTest {
    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start(
                "--runtime-config=admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings=false");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /api/v1/namespaces/default/resourcequotas | "spec":{"hard":{"pods":"1"}} | does not enforce resource quotas
        /apis/node.k8s.io/v1/runtimeclasses | "handler":"x" | does not apply overhead and scheduling
        /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations | "webhooks":[] | does not call admission webhooks
        /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations | "webhooks":[] | does not call admission webhooks
        /apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations | "spec":{"type":"Limited","limited":{"nominalConcurrencyShares":1,"limitResponse":{"type":"Reject"}}} | does not limit requests by priority levels
        /apis/networking.k8s.io/v1/servicecidrs | "spec":{"cidrs":["10.9.0.0/24"]} | --service-cluster-ip-range only
        /apis/apiregistration.k8s.io/v1/apiservices | "metadata":{"name":"v1.x.example"},"spec":{"group":"x.example","version":"v1","groupPriorityMinimum":9,"versionPriority":9,"insecureSkipTLSVerify":true,"service":{"namespace":"default","name":"x"}} | does not forward requests
        /api/v1/namespaces | "metadata":{"name":"guarded","labels":{"pod-security.kubernetes.io/enforce":"restricted"}} | Pod Security Standards
        /api/v1/namespaces | "metadata":{"name":"plain","labels":{"team":"a"}} | -
        /apis/storage.k8s.io/v1/storageclasses | "provisioner":"x.example","metadata":{"name":"a","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}} | -
        /apis/storage.k8s.io/v1/storageclasses | "provisioner":"x.example" | -
        /apis/networking.k8s.io/v1/ingressclasses | "spec":{"controller":"x.example/y"} | -
        /apis/scheduling.k8s.io/v1/priorityclasses | "value":7 | -
        /api/v1/namespaces/default/serviceaccounts | "imagePullSecrets":[{"name":"x"}] | -
        /api/v1/namespaces/default/configmaps | "data":{"a":"b"} | -
        """)
    void warns(String path, String content, String warning) throws IOException {
        String metadata = content.contains("\"metadata\"") ? "" : "\"metadata\":{\"name\":\"some\"},";
        HttpResponse<String> created =
                server.client().send("POST", server.at(path + "?dryRun=All"), "{" + metadata + content + "}");
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        String warnings = String.join("\n", created.headers().allValues("Warning"));
        if (warning.equals("-")) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings).contains(warning);
        }
    }

    @Test
    void disabledTypeIsNotServed() throws IOException {
        String group = "/apis/admissionregistration.k8s.io/v1";
        HttpResponse<String> listed =
                server.client().send("GET", server.at(group + "/mutatingadmissionpolicybindings"), null);
        assertThat(listed.statusCode()).isEqualTo(404);
        assertThat(server.client().send("GET", server.at(group), null).body())
                .contains("validatingadmissionpolicybindings")
                .doesNotContain("mutatingadmissionpolicybindings");
    }
}
