package io.plat.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.tree.Json;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Warnings about valid objects are those of kube-apiserver. */
final class WarningsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "-", textBlock = """
            pods | {'spec':{'containers':[{'env':[{'name':'A'},{'name':'A'}]}]}} | spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply
            pods | {'spec':{'containers':[{'env':[{'name':'A'},{'name':'B'}]}]}} | -
            deployments.apps | {'spec':{'template':{'spec':{'topologySpreadConstraints':[{}]}}}} | spec.template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod
            jobs.batch | {'spec':{'template':{'spec':{'terminationGracePeriodSeconds':-1}}}} | spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1
            podtemplates | {'template':{'spec':{'imagePullSecrets':[{'name':'a'},{'name':'a'}]}}} | template.spec.imagePullSecrets[1].name: duplicate name "a"
            services | {'spec':{'type':'ClusterIP','externalIPs':['1.2.3.4']}} | spec.externalIPs is deprecated and may no longer be implemented in some clusters
            services | {'spec':{'type':'ClusterIP','clusterIP':'None','externalIPs':['1.2.3.4']}} | spec.externalIPs is ignored for headless services
            services | {'spec':{'type':'ClusterIP','externalName':'a'}} | spec.externalName is ignored when spec.type is not "ExternalName"
            services | {'spec':{'trafficDistribution':'PreferClose'}} | spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"
            secrets | {'type':'kubernetes.io/tls','data':{'tls.crt':'YQ=='}} | tls: failed to find any PEM data in certificate input
            secrets | {'type':'kubernetes.io/tls','data':{'tls.crt':'LS0tLS1CRUdJTiBDRVJU','tls.key':'YQ=='}} | tls: failed to find any PEM data in key input
            secrets | {'type':'Opaque','data':{'tls.crt':'YQ=='}} | -
            csidrivers.storage.k8s.io | {'spec':{'tokenRequests':[{'audience':'a'}]}} | spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes
            nodes | {'spec':{'externalID':'a'}} | spec.externalID: this field is deprecated, and is unused by Kubernetes
            configmaps | {} | -
            """)
    void warningsAreThoseOfKubeApiserver(String type, String object, String warning) {
        assertThat(Rules.warnings(type, Json.parse(object.replace('\'', '"')), null))
                .isEqualTo(warning == null ? List.of() : List.of(warning));
    }
}
