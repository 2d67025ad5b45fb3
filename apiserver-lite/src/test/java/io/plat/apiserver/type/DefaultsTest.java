package io.plat.apiserver.type;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.patch.PatchFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults and immutable fields, as in kube-apiserver. */
class DefaultsTest {
    private final Api api = new Api();

    @BeforeEach
    void makeNamespace() {
        assertThat(api.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"a\"}}")
                        .code())
                .isEqualTo(201);
    }

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    private static String json(String spec) {
        return "{'metadata':{'name':'x'},%s}".formatted(spec).replace('\'', '"');
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            pods | 'spec':{'containers':[{'name':'c','image':'i','resources':{'limits':{'cpu':0.5,'memory':'1024Mi'}}}]} | /spec/containers/0/resources | {'limits':{'cpu':'500m','memory':'1Gi'},'requests':{'cpu':'500m','memory':'1Gi'}}
            pods | 'spec':{'automountServiceAccountToken':false,'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v'}]} | /spec/volumes | [{'name':'v','emptyDir':{}}]
            pods | 'spec':{'hostNetwork':true,'containers':[{'name':'c','image':'i','ports':[{'containerPort':80}]}]} | /spec/containers/0/ports/0/hostPort | 80
            pods | 'spec':{'containers':[{'name':'c','image':'i','env':[{'name':'E','valueFrom':{'resourceFieldRef':{'resource':'limits.cpu'}}}]}]} | /spec/containers/0/env/0/valueFrom/resourceFieldRef/divisor | '0'
            networkpolicies | 'spec':{'podSelector':{}} | /spec/policyTypes | ['Ingress']
            networkpolicies | 'spec':{'podSelector':{},'egress':[{}]} | /spec/policyTypes | ['Ingress','Egress']
            limitranges | 'spec':{'limits':[{'type':'Container','max':{'cpu':2},'min':{'memory':'1Mi'}}]} | /spec/limits/0 | {'type':'Container','max':{'cpu':'2'},'min':{'memory':'1Mi'},'default':{'cpu':'2'},'defaultRequest':{'cpu':'2','memory':'1Mi'}}
            horizontalpodautoscalers | 'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'},'maxReplicas':2} | /spec/metrics/0/resource | {'name':'cpu','target':{'type':'Utilization','averageUtilization':80}}
            horizontalpodautoscalers | 'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'},'maxReplicas':2,'behavior':{'scaleDown':{'stabilizationWindowSeconds':1}}} | /spec/behavior/scaleDown | {'stabilizationWindowSeconds':1,'selectPolicy':'Max','policies':[{'type':'Percent','value':100,'periodSeconds':15}]}
            poddisruptionbudgets | 'spec':{} | /status | {'currentHealthy':0,'desiredHealthy':0,'disruptionsAllowed':0,'expectedPods':0}
            nodes | 'status':{'capacity':{'cpu':4}} | /status/allocatable/cpu | '4'
            flowschemas | 'spec':{'priorityLevelConfiguration':{'name':'p'}} | /spec/matchingPrecedence | 1000
            """)
    void defaultIsApplied(String resource, String spec, String at, String expected) {
        Api.Answer created = api.post(path(resource), json(spec));
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        assertThat(created.body().at(JsonPointer.compile(at)).toString().replace('"', '\''))
                .isEqualTo(expected);
    }

    /** A claim with an empty class is bound to a volume without one, and one without a class to that of the default class. */
    @Test
    void emptyStringOfPointerIsKept() {
        Api.Answer created = api.post(
                path("persistentvolumeclaims"),
                json("'spec':{'storageClassName':'','volumeName':'','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}"));
        assertThat(created.body().at("/spec/storageClassName").textValue()).isEmpty();
        assertThat(created.body().path("spec").has("volumeName")).isFalse();
    }

    private static String path(String resource) {
        String within = "/namespaces/a/" + resource;
        return switch (resource) {
            case "pods", "endpoints", "limitranges", "persistentvolumeclaims" -> "/api/v1" + within;
            case "nodes", "persistentvolumes" -> "/api/v1/" + resource;
            case "deployments" -> "/apis/apps/v1" + within;
            case "networkpolicies", "ingresses" -> "/apis/networking.k8s.io/v1" + within;
            case "horizontalpodautoscalers" -> "/apis/autoscaling/v2" + within;
            case "poddisruptionbudgets" -> "/apis/policy/v1" + within;
            case "flowschemas" -> "/apis/flowcontrol.apiserver.k8s.io/v1/" + resource;
            case "jobs" -> "/apis/batch/v1" + within;
            default -> throw new IllegalArgumentException(resource);
        };
    }

    /** A pod with additional members of its container or spec. */
    private static String pod(String container, String spec) {
        return "'spec':{'containers':[{'name':'c','image':'i'" + container + "}]" + spec + "}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            ,'resources':{'limits':{'cpu':1},'requests':{'cpu':'1001m'}} | ^^ | spec.containers[0].resources.requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1
            ,'resources':{'limits':{'cpu':-1}} | ^^ | spec.containers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0
            ,'volumeMounts':[{'name':'v','mountPath':'/v'}] | ^^ | spec.containers[0].volumeMounts[0].name: Not found: "v"
            ,'livenessProbe':{} | ^^ | spec.containers[0].livenessProbe: Required value: must specify a handler type
            ,'livenessProbe':{'httpGet':{'port':0}} | ^^ | spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive
            ,'livenessProbe':{'exec':{'command':['x']},'successThreshold':2} | ^^ | spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1
            ,'ports':[{'containerPort':1,'name':'a-name-that-is-long'}] | ^^ | spec.containers[0].ports[0].name: Invalid value: "a-name-that-is-long": must be no more than 15 characters
            ,'ports':[{'containerPort':1,'hostPort':1},{'containerPort':2,'hostPort':1}] | ^^ | spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//1"
            ,'env':[{'name':'E','value':'v','valueFrom':{'fieldRef':{'fieldPath':'metadata.name'}}}] | ^^ | may not be specified when `value` is not empty
            ,'securityContext':{'runAsUser':-1} | ^^ | spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive
            ,'securityContext':{'privileged':true,'allowPrivilegeEscalation':false} | ^^ | cannot set `allowPrivilegeEscalation` to false and `privileged` to true
            ^^ | ,'volumes':[{'name':'v'},{'name':'v'}] | spec.volumes[1].name: Duplicate value: "v"
            ^^ | ,'volumes':[{'name':'v','emptyDir':{},'configMap':{'name':'x'}}] | spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type
            ^^ | ,'activeDeadlineSeconds':0 | spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive
            ^^ | ,'dnsPolicy':'None' | must provide at least one DNS nameserver when `dnsPolicy` is None
            ^^ | ,'hostname':'A B' | spec.hostname: Invalid value: "A B"
            ,'volumeMounts':[{'name':'v','mountPath':'/v'}],'readinessProbe':{'tcpSocket':{'port':'http'},'successThreshold':2} | ,'volumes':[{'name':'v'}],'activeDeadlineSeconds':1 | ^^
            """)
    void podsAreChecked(String container, String spec, String refusal) {
        Api.Answer created = api.post(path("pods"), json(pod(container, spec)));
        assertThat(created.code()).as(created.message()).isEqualTo(refusal.isEmpty() ? 201 : 422);
        assertThat(created.message()).contains(refusal);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            persistentvolumeclaims | {} | spec.accessModes: Required value: at least 1 access mode is required
            persistentvolumeclaims | {'accessModes':['ReadWriteOnce']} | spec.resources[storage]: Required value
            persistentvolumes | {'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/a'}} | spec.capacity: Required value
            horizontalpodautoscalers | {'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'},'maxReplicas':1,'minReplicas':2} | must be greater than or equal to `minReplicas`
            poddisruptionbudgets | {'minAvailable':'120%'} | spec.minAvailable: Invalid value: "120%": must not be greater than 100%
            poddisruptionbudgets | {'minAvailable':1,'maxUnavailable':1} | minAvailable and maxUnavailable cannot be both set
            networkpolicies | {'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'1.2.3'}}]}]} | spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "1.2.3": must be a valid CIDR value
            networkpolicies | {'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'fd00::/64'}}]}]} | ^^
            limitranges | {'limits':[{'type':'Pod','max':{'cpu':1},'min':{'cpu':2}}]} | spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1
            ingresses | {} | either `defaultBackend` or `rules` must be specified
            ingresses | {'rules':[{'host':'A_b'}]} | spec.rules[0].host: Invalid value: "A_b"
            ingresses | {'rules':[{'http':{'paths':[{'path':'x','pathType':'Prefix','backend':{'service':{'name':'s','port':{'number':1}}}}]}}]} | spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path
            deployments | {'selector':{'matchLabels':{'a':'b'}},'strategy':{'type':'Recreate','rollingUpdate':{}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}} | may not be specified when strategy `type` is 'Recreate'
            """)
    void objectsAreChecked(String resource, String spec, String refusal) {
        Api.Answer created = api.post(path(resource), json("'spec':" + spec));
        assertThat(created.code()).as(created.message()).isEqualTo(refusal.isEmpty() ? 201 : 422);
        assertThat(created.message()).contains(refusal);
    }

    private static final String JOB =
            "'spec':{%s'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            jobs | 'completions':2, | {'spec':{'completions':5}} | spec.completions: Invalid value: 5: field is immutable
            jobs | 'completions':2,'completionMode':'Indexed', | {'spec':{'completions':5}} | spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism
            jobs | 'completions':2,'completionMode':'Indexed', | {'spec':{'completions':5,'parallelism':5}} | ^^
            persistentvolumes | ^^ | {'spec':{'hostPath':{'path':'/z'}}} | spec.persistentvolumesource is immutable after creation
            persistentvolumes | ^^ | {'spec':{'storageClassName':'s'}} | ^^
            persistentvolumeclaims | ^^ | {'spec':{'resources':{'requests':{'storage':'500Mi'}}}} | spec is immutable after creation except resources.requests
            persistentvolumeclaims | ^^ | {'spec':{'resources':{'requests':{'storage':'1024Mi'}}}} | ^^
            """)
    void isStoredUnchanged(String resource, String own, String patch, String refusal) {
        String spec = switch (resource) {
            case "jobs" -> JOB.formatted(own);
            case "persistentvolumes" ->
                "'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/a'}}";
            default -> "'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}";
        };
        assertThat(api.post(path(resource), json(spec)).code()).isEqualTo(201);
        Api.Answer changed = api.patch(path(resource) + "/x", PatchFormat.MERGE, patch.replace('\'', '"'));
        assertThat(changed.code()).as(changed.message()).isEqualTo(refusal.isEmpty() ? 200 : 422);
        assertThat(changed.message()).contains(refusal);
    }

    /** Updates are validated like creates. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            endpoints | 'subsets':[{'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':1}]}] | {'subsets':[{'addresses':[{'ip':'1.2.3'}],'ports':[{'port':1}]}]} | subsets[0].addresses[0].ip: Invalid value: "1.2.3": must be a valid IP address
            endpoints | 'subsets':[{'addresses':[{'ip':'10.0.0.1'}],'ports':[{'port':1}]}] | {'subsets':[{'addresses':[{'ip':'10.0.0.2'}],'ports':[{'port':1}]}]} | ^^
            limitranges | 'spec':{'limits':[{'type':'Pod','max':{'cpu':1}}]} | {'spec':{'limits':[{'type':'Pod','max':{'cpu':1},'min':{'cpu':2}}]}} | spec.limits[0].min[cpu]
            """)
    void changesAreChecked(String resource, String fields, String patch, String refusal) {
        Api.Answer created = api.post(path(resource), json(fields));
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        Api.Answer changed = api.patch(path(resource) + "/x", PatchFormat.MERGE, patch.replace('\'', '"'));
        assertThat(changed.code()).as(changed.message()).isEqualTo(refusal.isEmpty() ? 200 : 422);
        assertThat(changed.message()).contains(refusal);
    }
}
