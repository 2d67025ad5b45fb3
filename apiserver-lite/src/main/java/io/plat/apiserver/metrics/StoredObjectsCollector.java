package io.plat.apiserver.metrics;

import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.AllTypes;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.TreeSet;

/** {@code apiserver_storage_objects}: the number of stored objects by type, counted on scrape. */
public record StoredObjectsCollector(ObjectStore store, AllTypes types) implements MultiCollector {
    @Override
    public MetricSnapshots collect() {
        GaugeSnapshot.Builder objects =
                GaugeSnapshot.builder().name("apiserver_storage_objects").help("Stored objects, by resource.");
        try {
            // Uses the state in memory: a scrape never waits.
            if (store.notBefore(0) instanceof Lookup.Found found) {
                count(found.snapshot(), objects);
            }
        } catch (StorageException unreachable) {
            // None are exported then; a health check reports the failing storage.
            return MetricSnapshots.of();
        }
        return MetricSnapshots.of(objects.build());
    }

    private void count(Snapshot snapshot, GaugeSnapshot.Builder into) {
        for (String resource : new TreeSet<>(types.stored().keySet())) {
            into.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .value((double) snapshot.count(KeyRange.of(resource)))
                    .labels(Labels.of("resource", resource))
                    .build());
        }
    }
}
