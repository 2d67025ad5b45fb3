package io.plat.apiserver.allocation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects are texts here, {@code UID ITEM...}. */
class AllocatorTest {
    private static final String CLAIMS = "claims";

    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));

    private Allocator allocator(int items) {
        return new Allocator(
                store, CLAIMS, ItemRange.ports(1 + "-" + items).orElseThrow(), new Random(1), AllocatorTest::items);
    }

    private static Set<String> items(Entry object, Owner owner) {
        String[] words = new String(object.value(), UTF_8).split(" ");
        return words[0].equals(owner.uid()) ? Set.copyOf(Arrays.asList(words).subList(1, words.length)) : Set.of();
    }

    private static Owner owner(String name) {
        return new Owner(new Key("things", "", name), "u-" + name);
    }

    private boolean write(Owner who, Entry claim) throws StorageException {
        byte[] value = (who.uid() + " " + claim.key().name()).getBytes(UTF_8);
        return store.commit(Transaction.create(who.key(), value).expecting(claim)) instanceof Outcome.Committed;
    }

    @AfterEach
    void close() throws StorageException {
        store.close();
    }

    @Test
    void allocatedItemIsNotAllocatedAgain() throws StorageException {
        Allocator two = allocator(2);
        assertThat(write(owner("a"), two.allocate(owner("a"), "1").orElseThrow()))
                .isTrue();
        assertThat(two.allocate(owner("b"), "1")).isEmpty();
        Entry other = two.allocateNext(owner("b"), item -> false).orElseThrow();
        assertThat(other.key().name()).isEqualTo("2");
        assertThat(write(owner("b"), other)).isTrue();
        assertThat(two.allocateNext(owner("c"), item -> false)).isEmpty();
        assertThat(two.isFree("1")).isFalse();
    }

    @Test
    void recordOfAMissingOwnerIsReusable() throws StorageException {
        Allocator one = allocator(1);
        Entry slow = one.allocate(owner("slow"), "1").orElseThrow();
        Entry quick = one.allocateNext(owner("quick"), item -> false).orElseThrow();
        assertThat(write(owner("slow"), slow)).isFalse();
        assertThat(write(owner("quick"), quick)).isTrue();
        assertThat(one.allocate(owner("slow"), "1")).isEmpty();
    }

    /** The owner is written during the pause, when the random source is called for its length. */
    @Test
    void claimOfAWriteInProgressIsNotTakenOver() throws StorageException {
        Owner slow = owner("slow");
        Entry claim = allocator(1).allocate(slow, "1").orElseThrow();
        var written = new AtomicBoolean();
        RandomGenerator random = new Random(1) {
            @Override
            public long nextLong(long bound) {
                try {
                    written.set(write(slow, claim));
                    return 1;
                } catch (StorageException e) {
                    throw new AssertionError(e);
                }
            }
        };
        var other = new Allocator(store, CLAIMS, ItemRange.ports("1-1").orElseThrow(), random, AllocatorTest::items);
        assertThat(other.allocate(owner("quick"), "1")).isEmpty();
        assertThat(written).isTrue();
    }

    @Test
    void objectWithTheSameNameAndAnotherUidIsAnotherOwner() throws StorageException {
        Allocator one = allocator(1);
        assertThat(write(owner("a"), one.allocate(owner("a"), "1").orElseThrow()))
                .isTrue();
        Owner later = new Owner(owner("a").key(), "later");
        assertThat(one.allocate(later, "1")).isEmpty();
        store.commit(Transaction.delete(store.latest().get(later.key()).orElseThrow()));
        assertThat(one.allocate(later, "1")).isPresent();
    }

    @Test
    void releaseRemovesTheRecordUnlessTheItemIsInUse() throws StorageException {
        Allocator two = allocator(2);
        assertThat(write(owner("a"), two.allocate(owner("a"), "1").orElseThrow()))
                .isTrue();
        two.allocate(owner("b"), "2");
        two.release(owner("a"), "1");
        two.release(owner("c"), "2");
        assertThat(store.latest().count(KeyRange.of(CLAIMS))).isEqualTo(2);
        two.release(owner("b"), "2");
        // After a started allocation.
        store.commit(Transaction.create(new Key("things", "", "z"), new byte[] {1}));
        assertThat(store.latest().count(KeyRange.of(CLAIMS))).isEqualTo(1);
    }

    /** Cost of a request that allocates many items while other owners have many: each owner is read once. */
    @Test
    void ownerIsReadOncePerScan() throws StorageException {
        ItemRange range = ItemRange.ports("1-400").orElseThrow();
        for (int each = 0; each < 3; each++) {
            Owner large = owner("large" + each);
            String items = IntStream.rangeClosed(each * 100 + 1, each * 100 + 100)
                    .mapToObj(String::valueOf)
                    .collect(Collectors.joining(" "));
            store.commit(Transaction.create(large.key(), (large.uid() + " " + items).getBytes(UTF_8)));
            for (String item : items.split(" ", -1)) {
                store.commit(Transaction.create(new Key(CLAIMS, "", item), large.bytes()));
            }
        }
        List<String> reads = new ArrayList<>();
        Allocator request = new Allocator(store, CLAIMS, range, new Random(1), (object, owner) -> {
            reads.add(owner.uid());
            return items(object, owner);
        });
        Set<String> allocated = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Entry claim =
                    request.allocateNext(owner("new"), allocated::contains).orElseThrow();
            assertThat(allocated.add(claim.key().name())).isTrue();
        }
        assertThat(request.find(allocated::contains)).isEmpty();
        assertThat(request.allocate(owner("new"), "1")).isEmpty();
        request.release(owner("large0"), "1");
        assertThat(reads).containsExactlyInAnyOrder("u-large0", "u-large1", "u-large2");
        Entry changed = store.latest().get(owner("large0").key()).orElseThrow();
        store.commit(Transaction.replace(changed, "u-large0 2".getBytes(UTF_8)));
        assertThat(request.isFree("1")).isTrue();
        assertThat(request.isFree("2")).isFalse();
        assertThat(reads).hasSize(4);
    }

    /** Items that one search has skipped are not searched again within the request. */
    @Test
    void exhaustingTheRangeTakesLinearTime() throws StorageException {
        int size = 2_000;
        Allocator request = allocator(size);
        Set<String> taken = new HashSet<>();
        int[] tests = {0};
        for (int i = 0; i < size; i++) {
            taken.add(request.find(item -> {
                        tests[0]++;
                        return taken.contains(item);
                    })
                    .orElseThrow());
        }
        assertThat(taken).hasSize(size);
        assertThat(tests[0]).isLessThan((16 + 2) * size);
    }

    /** Many concurrent owners allocate, crash, are deleted and recreated, through several allocators of one store, like several servers. */
    @Test
    void concurrentAllocationsAreUnique() throws Exception {
        List<Callable<Void>> clients = new ArrayList<>();
        for (int client = 0; client < 8; client++) {
            int number = client;
            clients.add(() -> {
                Allocator own = new Allocator(
                        store,
                        CLAIMS,
                        ItemRange.ports(1 + "-" + 10).orElseThrow(),
                        new Random(number),
                        AllocatorTest::items);
                var random = new Random(number);
                for (int i = 0; i < 200; i++) {
                    Owner who = owner("c" + number + "-" + random.nextInt(2));
                    var there = store.latest().get(who.key());
                    if (there.isPresent()) {
                        store.commit(Transaction.delete(there.get()));
                    } else {
                        var claim = own.allocateNext(who, item -> false);
                        if (claim.isPresent() && random.nextInt(4) > 0) {
                            write(who, claim.get());
                        }
                    }
                    assertOnlyOnce();
                }
                return null;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> done : threads.invokeAll(clients)) {
                done.get();
            }
        }
        assertThat(store.latest().count(KeyRange.of("things"))).isPositive();
    }

    private void assertOnlyOnce() throws StorageException {
        Map<String, Key> holders = new HashMap<>();
        for (Entry object : store.latest().page(KeyRange.of("things"), "", 0).entries()) {
            String item = new String(object.value(), UTF_8).split(" ", 2)[1];
            assertThat(holders.put(item, object.key()))
                    .as("other owner of %s", item)
                    .isNull();
        }
    }
}
