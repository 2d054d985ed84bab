package io.boltshuffle.rdma.memory;

/** A way to choose where a lease goes, for comparison. */
interface FramePlacement {

    /** @return the first frame, or {@link FrameAllocator#NONE} */
    int allocate(int frames);

    void free(int first, int frames);

    /** Returns the placement that the pool uses. */
    static FramePlacement bestFit(int totalFrames, int pieceFrames) {
        FrameAllocator allocator = new FrameAllocator(totalFrames, pieceFrames);
        return new FramePlacement() {
            @Override
            public int allocate(int frames) {
                return allocator.allocate(frames);
            }

            @Override
            public void free(int first, int frames) {
                allocator.free(first, frames);
            }
        };
    }
}
