/**
 * Cache of answers, which follows the deciders' revisions and coalesces concurrent equal requests.
 *
 * <p>Used by {@link io.plat.client.AccessClient} and by the Webhook mode of this project's servers; its types may change with any version.
 */
@NullMarked
package io.plat.client.cache;

import org.jspecify.annotations.NullMarked;
