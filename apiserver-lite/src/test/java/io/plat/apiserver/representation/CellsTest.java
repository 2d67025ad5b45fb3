package io.plat.apiserver.representation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells as rows of objects; an age is 90 seconds if there is one. */
class CellsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:01:30Z");
    private static final String TIME = "2026-01-01T00:00:00Z";
    private static final JsonMapper LENIENT = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .build();

    private static String cells(String storage, String object) throws JsonProcessingException {
        ResourceType type = ResourceCatalog.builtIn().types().stream()
                .filter(each -> each.storage().equals(storage))
                .findFirst()
                .orElseThrow();
        return Cells.of(type, LENIENT.readTree(object), NOW).stream()
                .map(Object::toString)
                .collect(Collectors.joining("|"));
    }

    @Test
    void numbersAndFlagsAreNoText() throws JsonProcessingException {
        ResourceType autoscalers = ResourceCatalog.builtIn()
                .find("autoscaling", "v2", "horizontalpodautoscalers")
                .orElseThrow();
        assertThat(Cells.of(
                        autoscalers,
                        LENIENT.readTree(
                                "{spec:{maxReplicas:5,metrics:[{type:'Pods',pods:"
                                        + "{target:{averageValue:'1'}}},{type:'External',external:{target:{averageValue:'1'}}}]}}"),
                        NOW))
                .contains(5, 0)
                .contains("<unknown>/1, <unknown>/1 (avg)");
        ResourceType drivers = ResourceCatalog.builtIn()
                .find("storage.k8s.io", "v1", "csidrivers")
                .orElseThrow();
        assertThat(Cells.of(drivers, LENIENT.readTree("{spec:{attachRequired:true}}"), NOW))
                .contains(true, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "namespaces; {status:{phase:'Active'}}; |Active|90s",
                "configmaps; {data:{a:'1',b:'2'},binaryData:{c:''}}; |3|90s",
                "configmaps; {}; |0|90s",
                "secrets; {type:'Opaque',data:{a:''}}; |Opaque|1|90s",
                "serviceaccounts; {}; |90s",
                "endpoints; {subsets:[{addresses:[{ip:'10.0.0.1'},{ip:'fd00::1'}],ports:[{port:80},{port:443}]}]}; "
                        + "|10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more...|90s",
                "endpoints; {subsets:[{addresses:[{ip:'10.0.0.1'}]},{addresses:[{ip:'10.0.0.2'}],ports:[{port:53}]}]}; "
                        + "|10.0.0.1,10.0.0.2:53|90s",
                "endpoints; {subsets:[{notReadyAddresses:[{ip:'10.0.0.1'}],ports:[{port:80}]}]}; |<none>|90s",
                "leases.coordination.k8s.io; {spec:{holderIdentity:'me'}}; |me|90s",
                "leases.coordination.k8s.io; {}; ||90s",
                "roles.rbac.authorization.k8s.io; {}; |" + TIME,
                "cronjobs.batch; {spec:{schedule:'@daily',suspend:true}};"
                        + " |@daily|<none>|True|0|<none>|90s|<none>|<none>|<none>",
                "services; {spec:{type:'ClusterIP',clusterIP:'None'}}; |ClusterIP|None|<none>|<none>|90s|<none>",
                "services;"
                        + " {spec:{type:'NodePort',clusterIPs:['10.0.0.1'],ports:[{port:80,nodePort:3000,protocol:'TCP'},{port:53,protocol:'UDP'}],selector:{b:'2',a:'1'}}};"
                        + " |NodePort|10.0.0.1|<none>|80:3000/TCP,53/UDP|90s|a=1,b=2",
                "services; {spec:{type:'LoadBalancer'}}; |LoadBalancer|<none>|<pending>|<none>|90s|<none>",
                "services; {spec:{type:'LoadBalancer',externalIPs:['5.5.5.5']},status:{loadBalancer:{ingress:["
                        + "{hostname:'h'},{ip:'1.1.1.1'}]}}}; |LoadBalancer|<none>|1.1.1.1,h,5.5.5.5|<none>|90s|<none>",
                "services; {spec:{type:'ExternalName',externalName:'x.example'}}; "
                        + "|ExternalName|<none>|x.example|<none>|90s|<none>",
                "rolebindings.rbac.authorization.k8s.io;"
                        + " {roleRef:{kind:'Role',name:'r'},subjects:[{kind:'User',name:'u'},"
                        + "{kind:'User',name:'v'},{kind:'Group',name:'g'},{kind:'ServiceAccount',name:'s',namespace:'n'}]};"
                        + " |Role/r|90s|u, v|g|n/s",
                "controllerrevisions.apps; {revision:2}; |<none>|2|90s",
                "certificatesigningrequests.certificates.k8s.io; {spec:{signerName:'a/b',expirationSeconds:7200},"
                        + "status:{certificate:'YQ==',conditions:[{type:'Approved',status:'True'},{type:'Failed',status:'True'}]}};"
                        + " |90s|a/b||120m|Approved,Failed,Issued",
                "endpointslices.discovery.k8s.io; {addressType:'IPv4',ports:[{port:80},{name:'n'},{},{port:1}],"
                        + "endpoints:[{addresses:['10.0.0.1']}]}; |IPv4|80,n,* + 1 more...|10.0.0.1|90s",
                "endpointslices.discovery.k8s.io; {addressType:'IPv4'}; |IPv4|<unset>|<unset>|90s",
                "ingresses.networking.k8s.io; {spec:{rules:[{}],tls:[{}]},status:{loadBalancer:{ingress:[{ip:'2.2.2.2'},"
                        + "{ip:'1.1.1.1'}]}}}; |<none>|*|1.1.1.1,2.2.2.2|80, 443|90s",
                "ingresses.networking.k8s.io; {spec:{rules:[{host:'a'},{host:'b'},{host:'c'},{host:'d'}]}};"
                        + " |<none>|a,b,c + 1 more...||80|90s",
                "ipaddresses.networking.k8s.io; {spec:{parentRef:{resource:'services',namespace:'n',name:'s'}}};"
                        + " |services/n/s|90s",
                "jobs.batch; {spec:{parallelism:2},status:{succeeded:1,conditions:[{type:'Suspended',status:'True'}]}};"
                        + " |Suspended|1/1 of 2||90s|<none>|<none>|<none>",
                "jobs.batch; {spec:{completions:3}}; |Running|0/3||90s|<none>|<none>|<none>",
                "mutatingadmissionpolicybindings.admissionregistration.k8s.io; {spec:{policyName:'p',paramRef:{name:'n'}}};"
                        + " |p|*/n|90s",
                "persistentvolumeclaims; {spec:{storageClassName:'a'},status:{phase:'Pending',capacity:{storage:'1Gi'}}};"
                        + " |Pending||||a|<unset>|90s|<unset>",
                "persistentvolumeclaims; {spec:{volumeName:'v',storageClassName:'a'},status:{phase:'Bound',"
                        + "accessModes:['ReadWriteOnce']}}; |Bound|v|0|RWO|a|<unset>|90s|<unset>",
                "resourceclaims.resource.k8s.io; {status:{allocation:{},reservedFor:[{}]}}; |allocated,reserved|90s",
                "resourceclaims.resource.k8s.io; {}; |pending|90s",
                "resourcequotas; {status:{hard:{pods:'2','limits.cpu':'1'},used:{pods:'1'}}};"
                        + " |pods: 1/2|limits.cpu: 0/1|90s",
                "apiservices.apiregistration.k8s.io; {spec:{service:{namespace:'n',name:'s'}},status:{conditions:["
                        + "{type:'Available',status:'False',reason:'R'}]}}; |n/s|False (R)|90s",
                "networkpolicies.networking.k8s.io; {spec:{podSelector:{matchLabels:{z:'1'},matchExpressions:["
                        + "{key:'a',operator:'In',values:['y','x']}]}}}; |a in (x,y),z=1|90s",
            })
    void matchKubeApiserver(String storage, String object, String expected) throws JsonProcessingException {
        String whole = "{metadata:{name:'x',creationTimestamp:'" + TIME + "'}" + (object.equals("{}") ? "}" : ",")
                + (object.equals("{}") ? "" : object.substring(1));
        assertThat(cells(storage, whole)).isEqualTo("x" + expected);
    }

    /** A pod with containers a and b: its status, and its row up to the restarts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "phase:'Pending'; 0/2|Pending|0",
                "phase:'Failed',reason:'Evicted'; 0/2|Evicted|0",
                "phase:'Pending',conditions:[{type:'PodScheduled',reason:'SchedulingGated'}]; 0/2|SchedulingGated|0",
                "phase:'Running',containerStatuses:[{ready:true,state:{running:{}}},{ready:true,restartCount:3,state:{running:{}}}];"
                        + " 2/2|Running|3",
                "phase:'Running',containerStatuses:[{ready:true,state:{running:{}}},{restartCount:2,state:{waiting:"
                        + "{reason:'CrashLoopBackOff'}},lastState:{terminated:{finishedAt:'2026-01-01T00:01:00Z'}}}];"
                        + " 1/2|CrashLoopBackOff|2 (30s ago)",
                "phase:'Running',containerStatuses:[{state:{terminated:{exitCode:3}}}]; 0/2|ExitCode:3|0",
                "phase:'Running',containerStatuses:[{state:{terminated:{signal:9,exitCode:137}}}]; 0/2|Signal:9|0",
                "phase:'Running',containerStatuses:[{state:{terminated:{reason:'Completed'}}},{ready:true,state:{running:{}}}];"
                        + " 1/2|NotReady|0",
                "phase:'Running',conditions:[{type:'Ready',status:'True'}],containerStatuses:[{state:{terminated:"
                        + "{reason:'Completed'}}},{ready:true,state:{running:{}}}]; 1/2|Running|0",
                "phase:'Pending',initContainerStatuses:[{name:'i',state:{running:{}}}]; 0/2|Init:0/1|0",
                "phase:'Pending',initContainerStatuses:[{name:'i',restartCount:4,state:{waiting:{reason:'ImagePullBackOff'}}}];"
                        + " 0/2|Init:ImagePullBackOff|4",
                "phase:'Pending',initContainerStatuses:[{name:'i',state:{terminated:{exitCode:1}}}];"
                        + " 0/2|Init:ExitCode:1|0",
                "phase:'Pending',initContainerStatuses:[{name:'i',state:{terminated:{exitCode:1,reason:'Error'}}}];"
                        + " 0/2|Init:Error|0",
                "phase:'Running',initContainerStatuses:[{name:'i',state:{terminated:{exitCode:0}}}],"
                        + "containerStatuses:[{ready:true,state:{running:{}}}]; 1/2|Running|0",
            })
    void podStatusIsTheMostSpecificReason(String status, String expected) throws JsonProcessingException {
        String pod = "{metadata:{name:'p',creationTimestamp:'" + TIME + "'},spec:{containers:[{name:'a'},{name:'b'}],"
                + "initContainers:[{name:'i'}]},status:{" + status + "}}";
        assertThat(cells("pods", pod)).isEqualTo("p|" + expected + "|90s|<none>|<none>|<none>|<none>");
        String terminating = pod.replace("metadata:{", "metadata:{deletionTimestamp:'" + TIME + "',");
        boolean ended = status.contains("'Failed'");
        assertThat(cells("pods", terminating)).contains(ended ? "|Evicted|" : "|Terminating|");
    }

    @Test
    void eventShowsItsAgeAndObject() throws JsonProcessingException {
        String about =
                "involvedObject:{kind:'Pod',name:'p',fieldPath:'spec'},type:'Normal',reason:'Pulled',message:' done ',";
        assertThat(cells(
                        "events",
                        "{metadata:{name:'e'}," + about
                                + "count:3,source:{component:'kubelet',host:'n'},firstTimestamp:'" + TIME
                                + "',lastTimestamp:'2026-01-01T00:01:00Z'}"))
                .isEqualTo("30s|Normal|Pulled|pod/p|spec|kubelet, n|done|90s|3|e");
        assertThat(cells(
                        "events",
                        "{metadata:{name:'e'}," + about
                                + "reportingComponent:'c',eventTime:'2026-01-01T00:00:00.000000Z'}"))
                .isEqualTo("90s|Normal|Pulled|pod/p|spec|c|done|90s|1|e");
    }

    @Test
    void sidecarCountsAsContainer() throws JsonProcessingException {
        assertThat(cells(
                        "pods",
                        "{metadata:{name:'p'},spec:{nodeName:'n',containers:[{name:'a'}],initContainers:[{name:'s',"
                                + "restartPolicy:'Always'}],readinessGates:[{conditionType:'g'},{conditionType:'h'}]},"
                                + "status:{phase:'Running',podIPs:[{ip:'10.1.1.1'}],conditions:[{type:'g',status:'True'}],"
                                + "initContainerStatuses:[{name:'s',started:true,ready:true,restartCount:1,state:{running:{}}}],"
                                + "containerStatuses:[{ready:true,restartCount:2,state:{running:{}}}]}}"))
                .isEqualTo("p|2/2|Running|3|<unknown>|10.1.1.1|n|<none>|1/2");
    }

    @Test
    void everyColumnHasACell() throws JsonProcessingException {
        for (ResourceType type : ResourceCatalog.builtIn().types()) {
            // kube-apiserver's rows of addresses have one more.
            if (!type.virtual() && !type.resource().equals("ipaddresses")) {
                List<Object> cells = Cells.of(type, LENIENT.readTree("{}"), NOW);
                assertThat(cells).as(type.id().toString()).hasSameSizeAs(type.columns());
            }
        }
    }

    @Test
    void namesOfDefaultClassesAreMarked() throws JsonProcessingException {
        assertThat(cells(
                        "storageclasses.storage.k8s.io",
                        "{metadata:{name:'s',annotations:{'storageclass.kubernetes.io/is-default-class':'true'}}}"))
                .startsWith("s (default)|");
    }

    /** An event has the same cells in both of its groups, as they are those of its stored form. */
    @ParameterizedTest
    @CsvSource({"''", "events.k8s.io"})
    void eventCellsAgreeInBothGroups(String group) throws JsonProcessingException {
        ResourceType type =
                ResourceCatalog.builtIn().find(group, "v1", "events").orElseThrow();
        assertThat(Cells.of(
                                type,
                                LENIENT.readTree(
                                        "{type:'Normal',reason:'R',eventTime:'2026-01-01T00:00:00Z',reportingComponent:'c',"
                                                + "reportingInstance:'h',involvedObject:{kind:'Pod',name:'p'},message:'m',"
                                                + "series:{count:3,lastObservedTime:'2026-01-01T00:01:00Z'}}"),
                                NOW)
                        .stream()
                        .map(Object::toString)
                        .collect(Collectors.joining("|")))
                .isEqualTo("30s|Normal|R|pod/p||c, h|m|90s|3|");
    }
}
