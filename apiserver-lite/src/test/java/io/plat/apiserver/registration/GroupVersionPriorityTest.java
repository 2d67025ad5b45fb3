package io.plat.apiserver.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.registration.ExpectedApiService.Priority;
import io.plat.apiserver.type.ResourceCatalog;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GroupVersionPriorityTest {
    /** A version without one would silently have no object. */
    @Test
    void everyOtherGroupVersionHasAPriority() {
        Set<String> known = new TreeSet<>(ServedTypes.groupVersions(ResourceCatalog.builtIn()));
        known.remove("apiregistration.k8s.io/v1");
        assertThat(Priority.BUILT_IN.keySet()).isEqualTo(known);
    }

    @Test
    void builtInGroupsPrecedeCustomGroups() {
        assertThat(Priority.BUILT_IN.values())
                .allSatisfy(each -> assertThat(each.group()).isGreaterThan(Priority.OF_DEFINITIONS.group()));
    }
}
