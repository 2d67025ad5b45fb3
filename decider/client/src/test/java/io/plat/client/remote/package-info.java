@NullMarked
package io.plat.client.remote;

import org.jspecify.annotations.NullMarked;
