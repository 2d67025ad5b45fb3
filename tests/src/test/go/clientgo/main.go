// Tests with client-go: its reflector with protobuf, a shared informer while objects change, and leader election. Usage: clientgo KUBECONFIG reflector|informer|election NAMESPACE COUNT
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	core "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const (
	binary = "application/vnd.kubernetes.protobuf"
	busy   = "object-busy"
)

func main() {
	if len(os.Args) != 5 {
		fail("usage: clientgo KUBECONFIG reflector|informer|election NAMESPACE COUNT")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	config.QPS, config.Burst = 5000, 5000
	count, err := strconv.Atoi(os.Args[4])
	check(err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	switch os.Args[2] {
	case "reflector":
		config.AcceptContentTypes = binary
		config.ContentType = binary
		follow(ctx, config, os.Args[3], count, false)
	case "informer":
		follow(ctx, config, os.Args[3], count, true)
	case "election":
		elect(ctx, config, os.Args[3])
	default:
		fail("unknown: " + os.Args[2])
	}
	fmt.Println("ok")
}

// follow caches config maps by an informer while they are created, changed and deleted, until the cache equals a list, and counts the
// events of the handlers.
func follow(ctx context.Context, config *rest.Config, namespace string, count int, shared bool) {
	client := core.NewForConfigOrDie(config)
	maps := client.ConfigMaps(namespace)
	write(count, func(i int) {
		_, err := maps.Create(ctx, configMap(i, "before"), metav1.CreateOptions{})
		check(err)
	})
	// One object changes all the while, also between the first list and the watch that follows it.
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		change(ctx, maps, stop)
	}()
	source := cache.NewListWatchFromClient(client.RESTClient(), "configmaps", namespace, fields.Everything())
	var store cache.Store
	var added, updated, deleted atomic.Int64
	synced := func() bool { return false }
	if shared {
		informer := cache.NewSharedIndexInformer(source, &corev1.ConfigMap{}, 0, cache.Indexers{})
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(any) { added.Add(1) },
			UpdateFunc: func(_, item any) {
				if item.(*corev1.ConfigMap).Name != busy {
					updated.Add(1)
				}
			},
			DeleteFunc: func(any) { deleted.Add(1) },
		})
		check(err)
		go informer.Run(ctx.Done())
		store, synced = informer.GetStore(), informer.HasSynced
	} else {
		store = cache.NewStore(cache.MetaNamespaceKeyFunc)
		reflector := cache.NewReflector(source, &corev1.ConfigMap{}, store, 0)
		go reflector.Run(ctx.Done())
		synced = func() bool { return reflector.LastSyncResourceVersion() != "" }
	}
	until(ctx, "the first list", func() bool { return synced() && len(store.List()) >= count })
	write(count, func(i int) {
		switch i % 3 {
		case 0:
			_, err := maps.Update(ctx, configMap(i, "after"), metav1.UpdateOptions{})
			check(err)
		case 1:
			check(maps.Delete(ctx, name(i), metav1.DeleteOptions{}))
		default:
			_, err := maps.Create(ctx, configMap(i+count, "new"), metav1.CreateOptions{})
			check(err)
		}
	})
	close(stop)
	<-stopped
	list, err := maps.List(ctx, metav1.ListOptions{Limit: 500})
	check(err)
	expected := map[string]string{}
	for {
		for _, item := range list.Items {
			expected[item.Namespace+"/"+item.Name] = item.ResourceVersion
		}
		if list.Continue == "" {
			break
		}
		list, err = maps.List(ctx, metav1.ListOptions{Limit: 500, Continue: list.Continue})
		check(err)
	}
	until(ctx, "the cache to be what is listed", func() bool { return same(store, expected) })
	if shared {
		changes, deletions, additions := int64((count+2)/3), int64((count+1)/3), int64(len(expected))+int64((count+1)/3)
		until(ctx, "the handlers", func() bool {
			return updated.Load() == changes && deleted.Load() == deletions && added.Load() == additions
		})
	}
	fmt.Printf("%d objects\n", len(expected))
}

// change creates an object and changes it until it is stopped.
func change(ctx context.Context, maps core.ConfigMapInterface, stop chan struct{}) {
	item := configMap(0, "busy")
	item.Name = busy
	item, err := maps.Create(ctx, item, metav1.CreateOptions{})
	check(err)
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
			item.Data["state"] = strconv.Itoa(i)
			item, err = maps.Update(ctx, item, metav1.UpdateOptions{})
			check(err)
		}
	}
}

func same(store cache.Store, expected map[string]string) bool {
	items := store.List()
	if len(items) != len(expected) {
		return false
	}
	for _, item := range items {
		configMap := item.(*corev1.ConfigMap)
		if expected[configMap.Namespace+"/"+configMap.Name] != configMap.ResourceVersion {
			return false
		}
	}
	return true
}

func write(count int, one func(i int)) {
	const writers = 16
	var group sync.WaitGroup
	for w := 0; w < writers; w++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := w; i < count; i += writers {
				one(i)
			}
		}()
	}
	group.Wait()
}

func name(i int) string { return fmt.Sprintf("object-%05d", i) }

func configMap(i int, state string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name(i), Labels: map[string]string{"state": state}},
		Data:       map[string]string{"state": state},
	}
}

// elect lets two candidates compete for a lease: one leads until it releases the lease, then the other.
func elect(ctx context.Context, config *rest.Config, namespace string) {
	leading := make(chan string, 2)
	stop := map[string]context.CancelFunc{}
	for _, identity := range []string{"first", "second"} {
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader",
			core.NewForConfigOrDie(config), coordination.NewForConfigOrDie(config),
			resourcelock.ResourceLockConfig{Identity: identity})
		check(err)
		candidacy, cancel := context.WithCancel(ctx)
		stop[identity] = cancel
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 2 * time.Second, RenewDeadline: time.Second, RetryPeriod: 100 * time.Millisecond,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leading <- identity },
				OnStoppedLeading: func() {},
			},
		})
		check(err)
		go elector.Run(candidacy)
	}
	leader := next(ctx, leading)
	select {
	case other := <-leading:
		fail(other + " leads beside " + leader)
	case <-time.After(time.Second):
	}
	stop[leader]()
	if other := next(ctx, leading); other == leader {
		fail(other + " leads again")
	}
	for _, cancel := range stop {
		cancel()
	}
}

func next(ctx context.Context, leading chan string) string {
	select {
	case identity := <-leading:
		return identity
	case <-ctx.Done():
		fail("nobody leads")
		return ""
	}
}

func until(ctx context.Context, what string, condition func() bool) {
	for !condition() {
		select {
		case <-ctx.Done():
			fail("waited in vain for " + what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "clientgo: "+message)
	os.Exit(1)
}
